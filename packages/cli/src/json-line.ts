/** What terminals obey, or what turns text around. JSON leaves it as it is. */
const UNSAFE = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** A value as one line of JSON that is safe in a terminal. */
export const jsonLine = (value: unknown): string =>
  `${JSON.stringify(value).replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
