import {
  type AskSnapshot,
  printableLine,
  questionTitle,
  type Receipt,
  type Responses,
} from '@sandagent/core/internal'
import { answerText, noteText } from './answer-text.ts'

/** What stays on the screen when the question has ended: who answered what. */
export function farewell(snapshot: AskSnapshot, receipt: Receipt | undefined): string {
  const { status, outcome, declined } = snapshot
  const isOwn = status === 'sent' || status === 'received'
  const state = receipt?.state ?? outcome
  if (isOwn && !declined) return lines('Answered:', snapshot, snapshot.responses)
  if ((isOwn || status === 'declined') && declined) return `Declined.${because(snapshot.reason)}`
  if (state === 'timed-out') return 'Nobody answered in time.'
  if (state === 'aborted') return 'This question is not open any more.'
  const answeredBy = receipt?.answeredBy ?? snapshot.answeredBy
  const who = answeredBy === undefined ? 'elsewhere' : `elsewhere by ${printableLine(answeredBy)}`
  if (state === 'declined' || declined)
    return `Declined ${who}.${because(receipt?.reason ?? snapshot.reason)}`
  return lines(`Answered ${who}.`, snapshot, receipt?.responses ?? snapshot.responses)
}

const because = (reason: string | undefined): string =>
  reason === undefined ? '' : ` Reason: ${printableLine(reason)}`

function lines(title: string, { questions }: AskSnapshot, responses: Readonly<Responses>): string {
  const answers = questions.map((question) => {
    const note = noteText(question, responses)
    const answer = answerText(question, responses) ?? 'no answer'
    return `  ${printableLine(questionTitle(question))}\n    → ${answer}${note === null ? '' : ` (note: ${note})`}`
  })
  return [title, ...answers].join('\n')
}
