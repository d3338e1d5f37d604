/** As every program reads it: JSON without an exponent, which a shell or `parseInt` takes for the end of the number. */
const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/

/** How many digits every number keeps when a program reads it. */
export const MOST_DIGITS = 15

/** The number that a text is. `NaN` for a text that people or programs read as another one. What JavaScript writes is kept. */
export const numberIn = (text: string): number =>
  `${Number(text)}` === text || (DECIMAL.test(text) && !isRounded(text)) ? Number(text) : Number.NaN

/** Whether a program would read another number than is written. */
function isRounded(text: string): boolean {
  const digits = text.replace(/[-.]/g, '').replace(/^0+/, '')
  return digits.length > MOST_DIGITS || (digits !== '' && Number(text) === 0)
}

/** Whether a number is only too long to be one. */
export const isTooLong = (text: string): boolean => DECIMAL.test(text) && Number.isNaN(numberIn(text))

/** One country separates thousands by what begins the fraction in another: 1.500 and 1,500 are two numbers each. */
const THOUSANDS = /^[1-9]\d{0,2}(?:([., '])\d{3})(?:\1\d{3})*$/
const FRACTION = /^(\d*|[1-9]\d{0,2}(?:([., '])\d{3})+(?!\2))(?:[.,](\d*))?$/
const POWER = /^\d+(?:\.\d+)?e[-+]?\d{1,2}$/i

/** Each number that people may mean by a text. */
export function numbersMeant(text: string): number[] {
  const [, sign = '', size = ''] = /^([-+]?)(.*)$/.exec(plain(text)) ?? []
  const digits = size.replace(/\D/g, '')
  if (digits === '' || digits.length > MOST_DIGITS) return []
  const parts = FRACTION.exec(size)
  const meant = [
    ...(THOUSANDS.test(size) ? [digits] : []),
    ...(parts ? [`${parts[1]?.replace(/\D/g, '')}.${parts[3] ?? ''}`] : []),
    ...(POWER.test(size) ? [size] : []),
  ]
  return [...new Set(meant.map((each) => Number(`${sign}${each}`)))]
}

/** With the digits, the minus and the separators of this line. */
const plain = (text: string): string =>
  text
    .replace(/[٠-٩۰-۹０-９]/g, (digit) => `${digit.charCodeAt(0) & 15}`)
    .replace(/[−–－]/g, '-')
    .replace(/[＋]/g, '+')
    .replace(/[٫．]/g, '.')
    .replace(/[’_٬]/g, "'")
    .replace(/\s/g, ' ')

/** A number as a person cannot misread it: three digits behind a point may be taken for thousands. */
export const writtenNumber = (value: number): string => `${value}`.replace(/^-?[1-9]\d{0,2}\.\d{3}$/, '$&0')
