/** The most characters of one text that a model reads of what a person typed. */
const MOST_READ = 32_000

/** A text that a person typed, as long as a model reads it; a cut one says so at its end. */
export function cutText(text: string): string {
  if (text.length <= MOST_READ) return text
  const note = ` … (cut here: of ${text.length} characters, a model reads ${MOST_READ})`
  return text.slice(0, MOST_READ - note.length) + note
}
