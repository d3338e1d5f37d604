import {
  type AskedQuestion,
  type AskSnapshot,
  expectedOf,
  ignoredText,
  isRequired,
  printableLine,
  quotedName,
  votesText,
} from '@sandagent/core/internal'
import { answerText, sentText } from '../../answer-text.ts'
import { askedBefore, mayNotText, notSentYet } from '../../lines/lines-texts.ts'
import { readerText } from '../../reader-text.ts'
import { givenTexts } from '../../session/given-texts.ts'
import type { Held } from '../../session/held-answer.ts'
import { isFiltering } from '../rows.ts'
import type { View } from './drawing.ts'
import type { Paint } from './paint.ts'
import { cutLine, inLine, widthOf, wrap } from './wrap.ts'

const MINUTE_MS = 60_000
const MOST_IN_CHIP = 20
/** Narrower lines have shorter words. */
const NARROW = 60

/** Who asks, and until when. */
export function headLine({ snapshot, state, paint, width, now }: View): string {
  const { asker, deadline } = snapshot
  const who = asker
    ? asker.agent === undefined
      ? 'Subagent without a name'
      : `Subagent ${quotedName(inLine(asker.agent))}`
    : 'The agent'
  const title = state.asked.kind === 'approval' ? `${who} asks for permission` : `${who} asks`
  const time = deadline === null ? '' : timeLeft(deadline - now, new Date(deadline))
  const cut = cutLine(title, Math.max(8, width - widthOf(time) - 2))
  const space = ' '.repeat(Math.max(1, width - widthOf(cut) - widthOf(time)))
  return time === '' ? paint.bold(cut) : `${paint.bold(cut)}${space}${paint.warn(time)}`
}

function timeLeft(leftMs: number, at: Date): string {
  if (leftMs <= 0) return 'time is up'
  if (leftMs <= MINUTE_MS) return `${Math.ceil(leftMs / 1000)} s left`
  const isToday = leftMs < 12 * 60 * MINUTE_MS
  return `waits until ${isToday ? at.toLocaleTimeString([], { timeStyle: 'short' }) : at.toLocaleString([], { dateStyle: 'short', timeStyle: 'short' })}`
}

/** A chip for each question and one for the review; in little space, only where one is. */
export function chipLine({ snapshot, state, paint, width }: View): string {
  const { questions, states } = snapshot
  const chips = questions.map((question, index) => {
    const isHere = index === state.step
    const sign = { answered: '✓', skipped: '-', invalid: '!', empty: ' ' }[states[question.id] ?? 'empty']
    const name = cutLine(inLine(question.header ?? ''), MOST_IN_CHIP) || `Question ${index + 1}`
    const text = `${sign} ${name}`
    return { text: isHere ? `[${text}]` : ` ${text} `, isHere, isDone: sign === '✓' }
  })
  const isReview = state.step === questions.length
  chips.push({ text: isReview ? '[Review]' : ' Review ', isHere: isReview, isDone: false })
  const whole = chips.map(({ text }) => text).join(' ')
  if (widthOf(whole) > width) {
    const header = inLine(questions[state.step]?.header ?? '')
    const place = isReview ? 'Review' : `Question ${state.step + 1} of ${questions.length}`
    return paint.mark(cutLine(header === '' ? place : `${place}: ${header}`, width))
  }
  return chips
    .map(({ text, isHere, isDone }) => (isHere ? paint.inverse(text) : isDone ? paint.good(text) : text))
    .join(' ')
}

/** What a question takes, and who else has entered what. */
export function hintLines({ snapshot, state, paint, width }: View, found: number): string[] {
  const question = snapshot.questions[state.step]
  if (!question || state.part !== 'question') return []
  const hints = [
    question.multiSelect && 'pick any number',
    question.typed && inLine(expectedOf(question.typed)),
    !isRequired(question) && 'optional',
  ].filter((hint) => typeof hint === 'string')
  const votes = votesText(snapshot.rule, snapshot.votes.length)
  const before = snapshot.thread.at(-1)
  const reader = readerText(snapshot, question)
  return [
    ...(before ? [paint.dim(cutLine(`${askedBefore(before)}: ${inLine(before.question)}`, width))] : []),
    ...(reader === undefined ? [] : wrap(reader, width).map(paint.dim)),
    ...[snapshot.view ? ignoredText(snapshot.view) : '', snapshot.view?.passkeyNote ?? '']
      .flatMap((text) => wrap(text, width).filter(Boolean))
      .map(paint.bold),
    ...wrap(votes, width).filter(Boolean),
    ...wrap(hints.join(' · '), width).filter(Boolean).map(paint.dim),
    ...givenTexts(question, snapshot).flatMap((text) => wrap(text, width).map(paint.dim)),
    ...othersLines(snapshot, question, paint, width),
    ...(!isFiltering(state)
      ? []
      : [cutLine(`Filter: ${state.filter}  (${found} of ${question.options?.length ?? 0})`, width)]),
  ]
}

const othersLines = (
  { others }: AskSnapshot,
  question: AskedQuestion,
  paint: Paint,
  width: number,
): string[] =>
  others.flatMap(({ name, responses, isHere, hasVoted }) => {
    const entered = answerText(question, responses)
    const who = printableLine(name ?? 'Somebody else')
    if (entered === null && !isHere) return []
    const what = entered === null ? 'has this open' : `${hasVoted ? 'has voted' : 'has entered'} ${entered}`
    return [paint.warn(cutLine(inLine(`${who} ${what}`), width))]
  })

/** That an answer leaves in a moment, and how to take it back. The way back is never cut. */
export function countdownLine(
  { answer, endsAt, text = sentText(answer) }: Held & { text?: string },
  width: number,
  now: number,
): string {
  const seconds = Math.max(1, Math.ceil((endsAt - now) / 1000))
  const what = answer.asksBack ? 'Asks' : answer.status === 'declined' ? 'Declines' : 'Sends'
  const before = `${what} in ${seconds} s`
  const after = width < NARROW ? ' · Undo: z' : ' · Undo (z or Esc)'
  const room = width - widthOf(before) - widthOf(after) - 2
  return text === '' || room < 4 ? `${before}${after}` : `${before}: ${cutLine(text, room)}${after}`
}

/** What went wrong, and what happens to the answer. */
export function problemLines({ snapshot, held, state, paint, width, now }: View): string[] {
  if (held) return [paint.warn(countdownLine(held, width, now))]
  const { status, error, unsaved, rule } = snapshot
  const isTrying = status === 'retrying'
  const isVoted = status === 'voted'
  const text =
    state.problem !== ''
      ? state.problem
      : isTrying
        ? notSentYet(error)
        : isVoted
          ? 'Your vote is stored.'
          : status === 'not-allowed' && rule
            ? mayNotText(rule)
            : error && !unsaved
              ? printableLine(error.message)
              : ''
  return text === ''
    ? []
    : wrap(inLine(text), width)
        .slice(0, 3)
        .map(isTrying || isVoted ? paint.warn : paint.bad)
}
