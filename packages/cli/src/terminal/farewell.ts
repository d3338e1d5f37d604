import {
  type AskSnapshot,
  ENDING_TEXTS,
  printableLine,
  type QuestionRecord,
  questionTitle,
  type Receipt,
  type Responses,
} from '@sandagent/core/internal'
import { answerText, noteText } from './answer-text.ts'
import { isTaken, type OpenQuestion } from './session/open-session.ts'

/** A permission does nothing by itself. */
const WHO_ALLOWS =
  'A run in a terminal, `sandagent serve`, and `sandagent answer` while it walks, allow it from now on. `sandagent grants list` shows it.'

/** What stays on the screen when the question has ended: who answered what, and what was entered here in vain. */
export function farewell(open: OpenQuestion, receipt?: Receipt): string {
  const snapshot = open.session.getSnapshot()
  const { declined, questions, entered } = snapshot
  if (isTaken(open)) {
    const more = open.allowsMore()
    const answered = lines('Answered:', snapshot, snapshot.responses)
    return declined
      ? refusal('', snapshot)
      : more === undefined
        ? answered
        : `${answered}\nAlso allowed: ${printableLine(more)}\n${WHO_ALLOWS}`
  }
  const responses = receipt?.responses ?? snapshot.responses
  const lost = questions.filter((question) => {
    const [here, there] = [entered, responses].map((each) => [
      answerText(question, each),
      noteText(question, each),
    ])
    return here?.some((text) => text !== null) && String(here) !== String(there)
  })
  const ending = endingElsewhere(snapshot, receipt, responses)
  return lost.length === 0 ? ending : `${ending}\n${lines('You had entered:', { questions: lost }, entered)}`
}

/** What is said of a question that was not shown when it ended. */
export const elsewhereText = ({ questions }: QuestionRecord, receipt: Receipt): string =>
  endingElsewhere(
    { questions, outcome: null, declined: false, answeredBy: undefined },
    receipt,
    receipt.responses,
  )

function endingElsewhere(
  snapshot: Pick<AskSnapshot, 'questions' | 'outcome' | 'declined' | 'answeredBy'> & Reason,
  receipt: Receipt | undefined,
  responses: Readonly<Responses>,
): string {
  const state = receipt?.state ?? snapshot.outcome
  if (state === 'partial') return lines(`${ENDING_TEXTS.partial}:`, snapshot, responses)
  if (state === 'timed-out' || state === 'aborted') return `${ENDING_TEXTS[state]}.`
  const answeredBy = receipt?.answeredBy ?? snapshot.answeredBy
  const who = answeredBy === undefined ? 'elsewhere' : `elsewhere by ${printableLine(answeredBy)}`
  if (state === 'declined' || snapshot.declined) return refusal(` ${who}`, receipt ?? snapshot)
  return lines(`Answered ${who}.`, snapshot, responses)
}

type Reason = Partial<Pick<AskSnapshot, 'reason' | 'asksBack'>>

function refusal(who: string, { reason, asksBack }: Reason): string {
  const words = reason === undefined ? '' : printableLine(reason)
  if (asksBack) return `Asked back${who}: ${words}`
  return words === '' ? `Declined${who}.` : `Declined${who}. Reason: ${words}`
}

function lines(
  title: string,
  { questions }: Pick<AskSnapshot, 'questions'>,
  responses: Readonly<Responses>,
): string {
  const answers = questions.map((question) => {
    const note = noteText(question, responses)
    const answer = answerText(question, responses) ?? 'no answer'
    return `  ${printableLine(questionTitle(question))}\n    → ${answer}${note === null ? '' : ` (note: ${note})`}`
  })
  return [title, ...answers].join('\n')
}
