import { filesTaken } from '../../answer/files/attachment.ts'
import type { Question } from '../../question/question.ts'
import { nameOf, typedOf } from '../../question/typed/typed-fault.ts'

/** What a question takes beside options and words, for a line of a list: `a secret`, `up to 3 files`. Nothing: `undefined`. */
export function takesText(question: Question): string | undefined {
  if (question.secret) return 'a secret'
  const typed = typedOf(question)
  if (typed) return nameOf(typed)
  const taken = filesTaken(question)
  return taken ? (taken.max === 1 ? 'a file' : `up to ${taken.max} files`) : undefined
}
