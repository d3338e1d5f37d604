import { printable, visible } from '@sandagent/core/internal'
import { type QuestionView, questionTitle } from '@sandagent/react'

/** What a question is called in a list. */
export function titleOf({ kind, subject, questions }: QuestionView): string {
  const [first] = questions
  if (kind === 'approval' && subject) return `Allow ${visible(subject.toolName)}?`
  return first ? printable(questionTitle(first)).slice(0, MOST_CHARS) : 'A question'
}

/** The options in one line, or the beginning of what an approval permits. */
export function detailOf({ kind, subject, questions }: QuestionView): string {
  if (kind === 'approval' && subject) return subjectLine(subject.input).slice(0, MOST_CHARS)
  const options = questions[0]?.options ?? []
  const labels = options.map(({ label }) => label).join(' · ')
  const more = questions.length > 1 ? [`and ${questions.length - 1} more`] : []
  return printable([labels.slice(0, MOST_CHARS), ...more].filter(Boolean).join(' · '))
}

/** More of a line is never in sight. */
const MOST_CHARS = 300

function subjectLine(input: unknown): string {
  const { command, path, file_path } = (input ?? {}) as Record<string, unknown>
  const subject = command ?? path ?? file_path
  return visible(typeof subject === 'string' ? subject : JSON.stringify(input ?? ''))
}
