import { MAX_TYPED_CHARS } from '../../question/limits.ts'

/** A text that a person typed, as long as a model reads it. A text that is cut says so at its end. */
export function cutText(text: string): string {
  if (text.length <= MAX_TYPED_CHARS) return text
  const note = ` … (cut here: of ${text.length} characters, a model reads ${MAX_TYPED_CHARS})`
  return text.slice(0, MAX_TYPED_CHARS - note.length) + note
}
