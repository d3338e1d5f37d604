import { type AskedQuestion, createAskSession } from '@sandagent/core'
import {
  encodeAnswers,
  loadTypedFault,
  type PageAnswer,
  parseQuestions,
  type QuestionView,
  type Responses,
  typedFault,
} from '@sandagent/core/internal'
import { createFileHostChannel, createFileRunnerChannel, createLocalFiles } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { askUser } from '@sandagent/runner'
import { createAnswerHandler, LocalSandbox, submitAnswer } from '@sandagent/sdk'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { requestOf } from '../../../src/commands/questions/given-answer.ts'
import { openForm } from './open-form.ts'

const limits = <T>(values: fc.Arbitrary<T>, [least, most]: readonly [string, string]) =>
  fc
    .tuple(fc.option(values), fc.option(values))
    .map(([from, to]) => ({ ...(from !== null && { [least]: from }), ...(to !== null && { [most]: to }) }))

const number = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(0.1, 0.3, 1e21, -1e-7))
const day = fc.constantFrom('2024-02-29', '2026-01-31', '2026-12-31')
const clock = fc.constantFrom('00:00', '02:30', '23:59:59')
const moment = fc.constantFrom('2026-03-29T02:30', '2026-01-31T14:30')
const dates = ['earliest', 'latest'] as const

/** Kinds of typed answers with limits. Those between which there is nothing are no questions. */
const kinds = fc
  .oneof(
    fc
      .tuple(
        limits(number, ['min', 'max']),
        fc.constantFrom({}, { step: 1 }, { step: 0.1 }, { step: 0.25 }),
        fc.constantFrom({}, { unit: 'ms' }, { range: true }, { show: 'slider' }, { show: 'rating' }),
      )
      .map((parts) => Object.assign({ kind: 'number' }, ...parts)),
    fc.tuple(limits(day, dates), fc.boolean()).map(([bounds, range]) => ({ kind: 'date', range, ...bounds })),
    fc
      .tuple(limits(clock, dates), fc.boolean())
      .map(([bounds, range]) => ({ kind: 'time', range, ...bounds })),
    fc
      .tuple(limits(moment, dates), fc.boolean())
      .map(([bounds, range]) => ({ kind: 'date-time', range, ...bounds })),
    fc.constantFrom({ kind: 'date-time', zone: true }, { kind: 'email' }, { kind: 'uri' }),
  )
  .filter((typed) => questionsOf(typed) !== null)

const questionsOf = (typed: object): AskedQuestion[] | null => {
  try {
    return parseQuestions([{ question: 'What suits you?', typed }])
  } catch {
    return null
  }
}

const hostile = fc.constantFrom(
  ...['1e999', '-0', '0.30000000000000004', '٣', '３', '1,5', '0x10', ' 2 ', '1/2', '2/1', '1/', '/'],
  ...['1.500', '-1.250', '1,500', '+5', '007', '1e1', '\u22125', '1\u00a0500', '1.500/2000', '22:00/06:00'],
  ...['2026-02-29', '2024-02-29', '2026-03-29T02:30', '2026-01-31T14:30+14:00', '24:00', '02:30Z'],
  ...[
    'javascript:alert(1)',
    'https://xn--bcher-kva.example',
    'a@xn--bcher-kva.example',
    'a@b',
    '\u202e1',
    'a b',
  ],
)
const texts = fc.oneof(hostile, number.map(String), day, clock, moment, fc.string({ unit: 'grapheme' }))
/** Texts of the kind itself, and any others. */
const textsFor = ({ kind, range }: { kind: string; range?: boolean }): fc.Arbitrary<string> => {
  const kinds: Record<string, fc.Arbitrary<string>> = {
    ...{ number: number.map(String), date: day, time: clock, 'date-time': moment },
  }
  const own = kinds[kind] ?? texts
  return fc.oneof(range ? fc.tuple(own, own).map((ends) => ends.join('/')) : own, texts)
}

/** A host takes it from programs, which write a fraction so. */
const isReadTwice = ({ kind }: { kind: string }, text: string): boolean =>
  kind === 'number' && text.split('/').some((part) => /^-?[1-9]\d{0,2}\.\d{3}$/.test(part))

/** Control characters are keys of a terminal. A text here begins with no blank. */
const isTypeable = (text: string): boolean => /^[^\p{C}\p{Z}]/u.test(text) && !/[\p{Cc}\p{Cs}]/u.test(text)

const typedAnswers = kinds.chain((typed) =>
  textsFor(typed)
    .filter(isTypeable)
    .map((text) => ({ typed, text })),
)

/** What a place makes of a typed text: the stored value, or `null` for a refusal. */
type Verdict = string | null

async function byPage(questions: AskedQuestion[], text: string): Promise<Verdict> {
  let sent: PageAnswer | undefined
  const transport = {
    async send(answer: PageAnswer) {
      if (answer.status !== 'pending') sent = answer
      return {}
    },
  }
  const part = { type: 'tool-ask', toolCallId: 'c', state: 'input-available', input: { questions } }
  const session = createAskSession(part, () => ({ transport, undoMs: 0 }))
  const stop = session.start()
  session.setFreeText('q1', text)
  session.submit()
  const { status } = session.getSnapshot()
  if (status === 'sending' || status === 'sent')
    await vi.waitFor(() => expect(sent).toBeDefined(), { interval: 1 })
  stop()
  return textIn(sent)
}

async function byTerminal(questions: AskedQuestion[], text: string): Promise<Verdict> {
  const form = openForm(questions)
  form.paste(text)
  form.press('return')
  const isRefused = (): boolean => /Type an? /.test(form.lines().join('\n'))
  await vi.waitFor(() => expect(form.sent() !== undefined || isRefused()).toBe(true), { interval: 1 })
  return textIn(form.sent())
}

/** `sandagent answer --text`. A form in a chat is checked by the same function. */
async function byCommand(questions: AskedQuestion[], text: string): Promise<Verdict> {
  const view = { toolCallId: 'c', questions } as QuestionView
  const given = { kind: 'picked', labels: [], files: [], text } as const
  try {
    return textIn(await requestOf(given, view, async () => []))
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_ANSWERS' })
    return null
  }
}

const textIn = (answer: { responses?: Responses | undefined } | undefined): Verdict =>
  (answer?.responses?.q1 as { freeText?: string } | undefined)?.freeText ?? null

/** Asks, lets a host answer, and gives what the agent got. */
async function byAgent(
  questions: AskedQuestion[],
  text: string,
  answer: (workdir: string, responses: Responses) => Promise<boolean>,
): Promise<Verdict> {
  const workdir = await tempDir()
  const end = new AbortController()
  const outcome = await askUser(
    createFileRunnerChannel({ workdir }),
    { runId: 'r', toolCallId: 'c', questions },
    {
      signal: end.signal,
      onWarning: ({ code }) => {
        if (code === 'INVALID_ANSWERS') end.abort()
      },
      async onAsked() {
        const isTaken = await answer(workdir, { q1: { selected: [], freeText: text, source: 'human' } })
        if (!isTaken) end.abort()
      },
    },
  )
  return (outcome.responses.q1 as { freeText?: string } | undefined)?.freeText ?? null
}

const request = (responses: Responses) => ({ toolCallId: 'c', status: 'completed', responses }) as const

const byHost = (workdir: string, responses: Responses): Promise<boolean> =>
  submitAnswer(new LocalSandbox({ workdir }), request(responses)).then(
    () => true,
    ({ code }) => {
      expect(code).toBe('INVALID_ANSWERS')
      return false
    },
  )

async function byRoute(workdir: string, responses: Responses): Promise<boolean> {
  const handler = createAnswerHandler({ sandbox: new LocalSandbox({ workdir }), authorize: () => true })
  const body = JSON.stringify(request(responses))
  const headers = { 'content-type': 'application/json' }
  const { status } = await handler.POST(new Request('http://host/answer', { method: 'POST', body, headers }))
  return status === 200
}

/** A host that checks nothing: the runner has to. */
async function byFileAlone(workdir: string, responses: Responses): Promise<boolean> {
  const host = createFileHostChannel({ files: createLocalFiles(workdir) })
  const { record } = await host.read('c')
  const questions = record?.questions ?? []
  await host.write(
    {
      ...{ questions, answers: encodeAnswers(questions, responses), responses, toolCallId: 'c' },
      ...{ status: 'completed', timestamp: new Date().toISOString(), version: 1, revision: 1 },
      nonce: record?.nonce ?? '',
    },
    { expectedRevision: 0 },
  )
  return true
}

it('the page, the terminal, a command, the host, its route and the runner take the same texts, and store the same', async () => {
  await loadTypedFault()
  const pages: Verdict[] = []
  await fc.assert(
    fc.asyncProperty(typedAnswers, async ({ typed, text }) => {
      const questions = questionsOf(typed) as AskedQuestion[]
      const page = await byPage(questions, text)
      pages.push(page)
      // A person may type blanks around an answer. Nobody else may store them.
      const isTaken =
        page === text ||
        (isReadTwice(typed, text) && typedFault(questions[0] as AskedQuestion, text) === null)
      const stored = isTaken ? text : null
      expect({
        terminal: await byTerminal(questions, text),
        command: await byCommand(questions, text),
        host: await byAgent(questions, text, byHost),
        route: await byAgent(questions, text, byRoute),
        runner: await byAgent(questions, text, byFileAlone),
      }).toEqual({ terminal: page, command: page, host: stored, route: stored, runner: stored })
      if (page !== null) expect(await byAgent(questions, page, byFileAlone)).toBe(page)
    }),
    { numRuns: 40 },
  )
  expect(pages.some((text) => text !== null)).toBe(true)
  expect(pages).toContain(null)
})
