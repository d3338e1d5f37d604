/** The variable that tells a runner where it asks instead of in files. See `createHttpRunnerChannel`. */
export const CHANNEL_URL_VARIABLE = 'SANDAGENT_CHANNEL_URL'

/** The variable with the runner's token for that address. */
export const CHANNEL_TOKEN_VARIABLE = 'SANDAGENT_CHANNEL_TOKEN'
