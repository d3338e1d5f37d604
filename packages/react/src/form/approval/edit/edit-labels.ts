const bounds = (min: number | undefined, max: number | undefined): string =>
  [min !== undefined && `at least ${min}`, max !== undefined && `at most ${max}`]
    .filter(Boolean)
    .join(' and ')

/** The texts of the editor of a call, in English. */
export const englishEditLabels = {
  editing: 'Change the call',
  /** The name of the only field, where the input is one text. */
  editWhole: 'Input',
  editAdd: (name: string): string => `Add ${name}`,
  editRemove: 'Remove',
  editLines: 'One in each line.',
  editAsJson: 'Edit as JSON',
  allowChanged: 'Allow the changed call',
  editNothing: 'Nothing is changed yet.',
  editChanges: 'What changes:',
  editInvalid: 'One field is not right yet.',
  noJson: (problem: string): string => `This is no JSON: ${problem}`,
  outOfBounds: (min: number | undefined, max: number | undefined): string =>
    `It must be ${bounds(min, max)}.`,
  noObject: 'This must be an object, as what the agent asked is one.',
}

export type EditLabels = typeof englishEditLabels
