import { printable, visible } from '@sandagent/core/internal'
import { type PageAnswer, type QuestionView, questionTitle } from '@sandagent/react'

/** What a question is called in a list. */
export function titleOf({ kind, subject, questions }: QuestionView): string {
  const [first] = questions
  if (kind === 'approval' && subject) return `Allow ${visible(subject.toolName)}?`
  return first ? printable(questionTitle(first)) : 'A question'
}

/** What was sent, and to which question. */
export function sentText(question: QuestionView, { status, answers }: PageAnswer): string {
  const said = status === 'declined' ? 'Declined' : printable(Object.values(answers).join('; '))
  return `Sent: ${[said, titleOf(question)].filter(Boolean).join(' · ')}`
}

/** The beginning of what an approval permits. */
export function detailOf({ kind, subject, questions }: QuestionView): string {
  if (kind === 'approval' && subject) return subjectLine(subject.input)
  return questions.length > 1 ? `and ${questions.length - 1} more` : ''
}

function subjectLine(input: unknown): string {
  const { command, path, file_path } = (input ?? {}) as Record<string, unknown>
  const subject = command ?? path ?? file_path
  return visible(typeof subject === 'string' ? subject : JSON.stringify(input ?? ''))
}
