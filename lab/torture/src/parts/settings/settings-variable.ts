/** The variable that holds the settings of a part, as JSON. It also marks every process of a torture. */
export const SETTINGS_VARIABLE = 'SANDAGENT_TORTURE_PART'
