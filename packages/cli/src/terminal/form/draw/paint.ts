/** Colours of the terminal's own theme, and weights: they fit light and dark. `mark` is for what is marked. */
const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  inverse: [7, 27],
  mark: [36, 39],
  good: [32, 39],
  warn: [33, 39],
  bad: [31, 39],
} as const

/** Puts a text into a colour or a weight. Without colours each leaves the text as it is. */
export type Paint = Record<keyof typeof CODES, (text: string) => string> & { readonly hasColours: boolean }

export function createPaint(hasColours: boolean): Paint {
  const paint =
    ([on, off]: readonly [number, number]) =>
    // Each line has its own codes: lines are cut out and put beside others.
    (text: string): string =>
      hasColours ? text.replace(/[^\n]+/g, `\u001b[${on}m$&\u001b[${off}m`) : text
  const entries = Object.entries(CODES).map(([name, codes]) => [name, paint(codes)])
  return { ...(Object.fromEntries(entries) as Omit<Paint, 'hasColours'>), hasColours }
}
