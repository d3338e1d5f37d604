/** The value of a JSON text. What is no JSON is the text itself: programs and people write either. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
