import { setImmediate } from 'node:timers/promises'
import type { GivenResponse, Outcome, Question } from '@sandagent/core/internal'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { askUser } from '@sandagent/runner'
import { createAnswerHandler, LocalSandbox } from '@sandagent/sdk'
import { createFakeClock, type FakeClock } from '@sandagent/testing'
import fc from 'fast-check'
import { expect, vi } from 'vitest'
import { createOlderPage, type OlderPage } from '../older/older-page.ts'

export const QUIET_MS = 1500
const LABELS = ['Tests', 'Docs', 'Yes, always', 'CI']

/**
 * An agent that asks, and a host whose requests take their time, each another one, so that they end in another order than
 * they came.
 */
export async function asking(
  sandbox: LocalSandbox,
  { toolCallId, questions, turns }: { toolCallId: string; questions: Question[]; turns: readonly number[] },
) {
  const clock = createFakeClock()
  let requests = 0
  const { POST } = createAnswerHandler({
    sandbox,
    signingKeys: null,
    async authorize() {
      for (let left = turns[requests++ % turns.length] ?? 0; left > 0; left--) await setImmediate()
      return true
    },
  })
  const send = (body: string): Promise<Response> =>
    POST(
      new Request('http://localhost/api/answer', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }),
    )
  const channel = createFileRunnerChannel({ workdir: sandbox.workdir })
  let onAsked = (): void => {}
  const isAsked = new Promise<void>((resolve) => {
    onAsked = resolve
  })
  const outcome = askUser(
    channel,
    { toolCallId, runId: 'run', questions },
    { clock, onAsked: () => onAsked() },
  )
  await Promise.race([isAsked, outcome])
  return { clock, outcome, page: createOlderPage({ toolCallId, questions }, send) }
}

export const tempSandbox = async () => new LocalSandbox({ workdir: await tempDir(), isolation: 'none' })

/** Lets the runner's quiet time pass, as often as it takes until it has the answer. */
export async function endOf(outcome: Promise<Outcome>, clock: FakeClock): Promise<Outcome> {
  let ended = false
  const noted = outcome.finally(() => {
    ended = true
  })
  await vi.waitFor(() => {
    if (!ended) clock.advance(QUIET_MS)
    expect(ended).toBe(true)
  })
  return noted
}

const question = fc.record({ multiSelect: fc.boolean(), options: fc.integer({ min: 2, max: 4 }) })
const click = fc.record({
  question: fc.nat(),
  option: fc.nat(),
  /** How long after the replies to all clicks before; `null` for at once, with requests on their way. */
  pauseMs: fc.option(fc.integer({ min: 0, max: QUIET_MS - 1 })),
})
interface Sequence {
  shapes: { multiSelect: boolean; options: number }[]
  clicks: { question: number; option: number; pauseMs: number | null }[]
  turns: number[]
}

const sequence: fc.Arbitrary<Sequence> = fc.record({
  shapes: fc.array(question, { minLength: 1, maxLength: 3 }),
  clicks: fc.array(click, { maxLength: 12 }),
  turns: fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 12 }),
})

/** Clicks what was drawn; then picks what is still missing, so that the answer is complete. */
async function clickAll(
  page: OlderPage,
  questions: Question[],
  clicks: Sequence['clicks'],
  clock: FakeClock,
): Promise<void> {
  const isAnswered = ({ question }: Question): boolean => page.getAnswersMap()[question] !== ''
  /** The agent takes a set of single choices as soon as it is complete, and such a page then shows no options. */
  const isOver = (): boolean => questions.every((each) => !each.multiSelect && isAnswered(each))
  for (const { question, option, pauseMs } of clicks) {
    if (isOver()) return
    if (pauseMs !== null) await page.replies()
    clock.advance(pauseMs ?? 0)
    const { question: text, options = [], multiSelect } = questions[question % questions.length] as Question
    page.selectAnswer(text, options[option % options.length]?.label as string, multiSelect)
  }
  for (const { question: text, options = [], multiSelect } of questions.filter((each) => !isAnswered(each)))
    page.selectAnswer(text, options[0]?.label as string, multiSelect)
}

/** What the page showed at the end and what the agent got, as lists of labels for each question. */
async function clickedThrough(sandbox: LocalSandbox, { shapes, clicks, turns }: Sequence, number: number) {
  const questions = shapes.map(
    ({ multiSelect, options }, index): Question => ({
      question: `Question ${index + 1}?`,
      multiSelect,
      options: LABELS.slice(0, options).map((label) => ({ label })),
    }),
  )
  const toolCallId = `call-${number}`
  const { clock, outcome, page } = await asking(sandbox, { toolCallId, questions, turns })
  await clickAll(page, questions, clicks, clock)
  await page.replies()
  const { kind, responses } = await endOf(outcome, clock)
  const shown = questions.map(({ question, options = [] }) =>
    options.map(({ label }) => label).filter((label) => page.isSelected(question, label)),
  )
  const got = questions.map((_, index) => {
    const { selected, freeText } = responses[`q${index + 1}`] as GivenResponse
    return [...selected, ...(freeText === undefined ? [] : [freeText])]
  })
  return {
    kind,
    shown: shown.map((labels) => labels.toSorted()),
    got: got.map((labels) => labels.toSorted()),
  }
}

/** Draws that many sequences of clicks, and compares what the agent got with what the page shows. */
export async function everyPickArrives(count: number): Promise<void> {
  const sandbox = await tempSandbox()
  const sequences = fc.sample(sequence, count)
  const numbered = sequences.entries()
  // Some at a time: each waits for files most of the time.
  const worker = async (): Promise<void> => {
    for (const [number, each] of numbered) {
      const { kind, shown, got } = await clickedThrough(sandbox, each, number)
      expect({ kind, got }, JSON.stringify(each)).toEqual({ kind: 'answered', got: shown })
    }
  }
  await Promise.all(Array.from({ length: 20 }, worker))
}
