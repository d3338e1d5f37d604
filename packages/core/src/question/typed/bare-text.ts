import type { Question } from '../question.ts'

/** What a person has typed, as it is sent: a typed answer has no blanks around it, nor around the slash of a range. */
export const bareText = ({ typed }: Pick<Question, 'typed'>, text: string): string =>
  !typed ? text : 'range' in typed && typed.range ? text.split('/').map(trim).join('/') : text.trim()

const trim = (text: string): string => text.trim()
