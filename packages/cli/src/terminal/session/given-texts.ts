import {
  type AskedQuestion,
  type AskSnapshot,
  FILE_TEXT,
  filesTaken,
  limitsText,
  SECRET_TEXT,
  sizeText,
} from '@sandagent/core/internal'

/** What may be given to a question for files or a secret, and who has it then: sentences, read before anything is given. */
export function givenTexts(question: AskedQuestion, { view }: Pick<AskSnapshot, 'view'>): string[] {
  if (question.secret) return [`${SECRET_TEXT}.`]
  const taken = view?.takesFiles ? filesTaken(question) : null
  if (!taken) return []
  return [`${limitsText(taken.max, sizeText(taken.maxBytes), taken.types)}. ${FILE_TEXT}.`]
}
