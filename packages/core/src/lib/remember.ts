/** How many texts are remembered, and how long one may be, in characters: agents write some of them. */
const MOST = 500
const LONGEST = 16_384

/** A parser that gives the same value again for the same text. Nobody may change the value. */
export function rememberByText<T>(parse: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const value = parse(text)
    if (known.size >= MOST) known.clear()
    if (text.length <= LONGEST) known.set(text, value)
    return value
  }
}
