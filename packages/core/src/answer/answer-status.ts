import * as v from 'valibot'

/** `pending` is a draft; the others are final. */
export type AnswerStatus = 'pending' | 'completed' | 'declined'

/** The shape of {@link AnswerStatus} in files and requests. */
export const answerStatusSchema: v.GenericSchema<unknown, AnswerStatus> = v.picklist([
  'pending',
  'completed',
  'declined',
])
