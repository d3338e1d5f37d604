const bounds = (min: number | undefined, max: number | undefined): string =>
  [min !== undefined && `at least ${min}`, max !== undefined && `at most ${max}`]
    .filter(Boolean)
    .join(' and ')

/** The texts of editing a call, in English. */
export const englishEditLabels = {
  edit: 'Edit',
  editing: 'Change the call',
  /** The name of the only field, where the input is one text. */
  editWhole: 'Input',
  editAdd: (name: string): string => `Add ${name}`,
  editRemove: 'Remove',
  editLines: 'One in each line.',
  editAsJson: 'Edit as JSON',
  editCancel: 'Cancel',
  editLoading: 'The editor is loading',
  editFailed: 'The editor did not load. Cancel, and try again.',
  allowChanged: 'Allow the changed call',
  /** What was decided. */
  changed: 'Allowed with changes',
  editNothing: 'Nothing is changed yet.',
  editChanges: 'What changes:',
  /** Above what was changed, afterwards. */
  editMade: 'What was changed:',
  editInvalid: 'One field is not right yet.',
  /** Above the changes that another person made. */
  editBy: (name: string): string => `Changed by ${name}`,
  editUse: 'Use these changes',
  noNumber: 'This is no number that the tool takes.',
  noJson: (problem: string): string => `This is no JSON: ${problem}`,
  outOfBounds: (min: number | undefined, max: number | undefined): string =>
    `It must be ${bounds(min, max)}.`,
  noObject: 'This must be an object, as what the agent asked is one.',
}

export type EditLabels = typeof englishEditLabels
