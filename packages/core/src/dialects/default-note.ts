import type { GivenResponse, QuestionResponse, ResponseSource } from '../answer/response.ts'

/** The note beside a default that stood in. Other systems cannot say who decided, and a model must not take it for a choice. */
const BY_DEFAULT = 'Nobody chose this: it is your own default.'

/** The note to write beside a response, if there is any. */
export const noteOf = (response: QuestionResponse | undefined): string | undefined => {
  if (response && 'source' in response && response.source === 'default') return BY_DEFAULT
  return response?.notes?.trim() ? response.notes : undefined
}

/** What such a note says of a response. */
export const readNote = (
  note: string | undefined,
): Pick<GivenResponse, 'notes'> & { source: ResponseSource } => {
  if (note === BY_DEFAULT) return { source: 'default' }
  return { ...(note?.trim() && { notes: note }), source: 'human' }
}
