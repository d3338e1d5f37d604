/** What a button does: gives an option, picks one of several, sends those picked, opens the form, or declines. */
export type ButtonAction = 'give' | 'pick' | 'send' | 'form' | 'decline'

/**
 * Which question a button is for, and what it does. Telegram gives back 64 bytes, so the question is named by its key; see
 * `questionKey`.
 */
export interface ButtonRef {
  key: string
  action: ButtonAction
  /** The number of an option, for `give`; else the options that are picked, as bits. */
  number: number
}

const ACTIONS: readonly ButtonAction[] = ['give', 'pick', 'send', 'form', 'decline']

/** The id and the value of a button. Ids differ within a message, as Slack wants it. */
export const buttonOf = ({ key, action, number }: ButtonRef): { id: string; value: string } => ({
  id: `ask:${action[0]}${number}`,
  value: key,
})

/** `null` for a button of somebody else. */
export function parseButton(id: string, key: string | undefined): ButtonRef | null {
  const [, letter, digits] = /^ask:([gpsfd])(\d{1,4})$/.exec(id) ?? []
  const action = ACTIONS.find((each) => each[0] === letter)
  return action && key !== undefined && KEY.test(key) ? { key, action, number: Number(digits) } : null
}

const KEY = /^[0-9a-f]{32}$/

/** The same as one text, which comes back with a form. */
export const refText = ({ key, number }: Pick<ButtonRef, 'key' | 'number'>): string => `${key} ${number}`

export function parseRefText(text = ''): Pick<ButtonRef, 'key' | 'number'> | null {
  const [key = '', number = ''] = text.split(' ')
  return KEY.test(key) && /^\d{1,4}$/.test(number) ? { key, number: Number(number) } : null
}
