import { callHeading, printable, readCall, risksIn, takesText, visible } from '@sandagent/core/internal'
import { type QuestionView, questionTitle } from '@sandagent/react'

/** What a question is called in a list. */
export function titleOf({ kind, subject, questions }: QuestionView): string {
  const [first] = questions
  if (kind === 'approval' && subject) return callHeading(readCall(subject))
  return first ? cut(printable(questionTitle(first))) : 'A question'
}

/** The options and what else is taken, in one line, or the beginning of what an approval permits. */
export function detailOf({ kind, subject, questions }: QuestionView): string {
  if (kind === 'approval' && subject) return inOneLine(visible(cut(callLine(subject).trim())))
  const [first] = questions
  const choices = [...(first?.options ?? []).map(({ label }) => label), first && takesText(first)]
  const labels = choices.filter(Boolean).join(' · ')
  const more = questions.length > 1 ? [`and ${questions.length - 1} more`] : []
  return printable([cut(labels), ...more].filter(Boolean).join(' · '))
}

/** More is never in sight. */
const MOST_CHARS = 300

const cut = (text: string): string => (text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text)

/** Where a line ends is seen: the next one may be another command. */
const inOneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ⏎ ')

/** What to look at in the call that an approval permits. */
export function risksOf({ kind, subject }: QuestionView): readonly string[] {
  if (kind !== 'approval' || !subject) return []
  const found = risks.get(subject) ?? risksIn(subject).map(({ label }) => label)
  risks.set(subject, found)
  return found
}

/** A list is drawn again at each second, and a call may be long. */
const risks = new WeakMap<object, readonly string[]>()

function callLine(subject: NonNullable<QuestionView['subject']>): string {
  const reading = readCall(subject)
  switch (reading.kind) {
    case 'command':
      return reading.command
    case 'edit':
      return reading.path
    case 'fetch':
      return reading.url
    default:
      return `${subject.toolName} ${JSON.stringify(subject.input)}`
  }
}
