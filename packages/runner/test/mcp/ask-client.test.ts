import {
  type CallToolResult,
  type InputRequiredResult,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { askClient } from '../../src/mcp/ask-client.ts'
import { type AskMcpOptions, settingsOf } from '../../src/mcp/call.ts'

const COLOUR = {
  question: 'Which colour?',
  options: [{ label: 'Red' }, { label: 'Blue' }],
  allowFreeText: false,
}
const red = { action: 'accept', content: { question_1: 'Red' } }
const wrong = { action: 'accept', content: { question_1: 'Green' } }
const elsewhere: CallToolResult = { content: [{ type: 'text', text: 'asked elsewhere' }] }

interface Asked extends Pick<AskMcpOptions, 'timeoutMs'> {
  questions?: object[]
  /** Milliseconds until each form comes back. */
  tookMs?: number
  canGoElsewhere?: boolean
  meta?: object
}

const formsOf = ({ canGoElsewhere = false }: Asked) => ({
  lists: true,
  ...(canGoElsewhere && { elsewhere: async () => elsewhere }),
})

/** Asks a client of 2025 that answers its forms with these, and then with the last of them for ever. */
async function askNow(answers: unknown[], asked: Asked = {}) {
  const { questions = [COLOUR], tookMs = 1000, timeoutMs, meta } = asked
  const clock = createFakeClock()
  const sent: { params: { message: string }; options: { timeout: number; signal: AbortSignal } }[] = []
  const notes: unknown[] = []
  const { signal } = new AbortController()
  const send = async ({ method, params }: never, options: never): Promise<unknown> => {
    expect(method).toBe('elicitation/create')
    const answer = answers[Math.min(sent.length, answers.length - 1)]
    sent.push({ params, options })
    clock.advance(tookMs)
    if (answer instanceof Error) throw answer
    return answer
  }
  const notify = async (note: unknown): Promise<void> => void notes.push(note)
  const ctx = { mcpReq: { _meta: meta, send, notify, signal } } as unknown as ServerContext
  const settings = settingsOf({ clock, timeoutMs })
  const result = askClient({ questions }, ctx, settings, formsOf(asked)).then(
    (value) => value as CallToolResult,
    (error: unknown) => ({ error }),
  )
  return { result: await result, sent, notes, signal, clock }
}

const kindOf = (result: object): unknown =>
  (result as { structuredContent?: { kind?: unknown } }).structuredContent?.kind

describe('a client of 2025', () => {
  it('gives its answer', async () => {
    const { result, sent, signal } = await askNow([red])
    expect(result).toMatchObject({
      structuredContent: { kind: 'answered', answers: { 'Which colour?': 'Red' } },
    })
    expect(result).not.toHaveProperty('isError')
    expect(sent).toHaveLength(1)
    expect(sent[0]?.options.signal).toBe(signal)
  })

  it('answers a part of the questions, if the others need no answer', async () => {
    const optional = { ...COLOUR, question: 'Which size?', required: false }
    const { result } = await askNow([red], { questions: [COLOUR, optional] })
    expect(result).toMatchObject({ structuredContent: { unanswered: ['q2'] } })
  })

  it.each([
    [{ action: 'decline' }, 'declined'],
    [{ action: 'cancel' }, 'aborted'],
  ])('that sends %j has no answer', async (answer, kind) => {
    const { result } = await askNow([answer], { canGoElsewhere: true })
    expect(result).toMatchObject({ structuredContent: { kind, unanswered: ['q1'] } })
  })

  it('gets the form again after an invalid answer, with what was expected', async () => {
    const { result, sent } = await askNow([wrong, red])
    expect(kindOf(result)).toBe('answered')
    const [first, second] = sent.map(({ params }) => params.message)
    expect(first).not.toContain('Expected')
    expect(second?.startsWith(`${first}\n\nExpected: `)).toBe(true)
  })

  it('gets five forms at most', async () => {
    const { result, sent } = await askNow([wrong])
    expect(result).toMatchObject({ error: { code: 'INVALID_ANSWERS' } })
    expect(sent).toHaveLength(5)
    expect(kindOf((await askNow([wrong, wrong, wrong, wrong, red])).result)).toBe('answered')
  })

  it.each([
    [5000, 5000],
    ['never', 2 ** 31 - 1],
    [2 ** 40, 2 ** 31 - 1],
  ] as const)('has a time-out of %s for its form', async (timeoutMs, expected) => {
    const { sent } = await askNow([red], { timeoutMs })
    expect(sent[0]?.options.timeout).toBe(expected)
  })

  it('that does not answer in time has no answer, and is not asked elsewhere', async () => {
    const late = new SdkError(SdkErrorCode.RequestTimeout, 'late')
    const { result } = await askNow([late], { canGoElsewhere: true, tookMs: 1 })
    expect(kindOf(result)).toBe('timed-out')
  })

  it.each([new SdkError(SdkErrorCode.ConnectionClosed, 'gone'), new Error('broken')])(
    'that fails with %s has an error',
    async (error) => {
      expect((await askNow([error])).result).toEqual({ error })
    },
  )

  it('gets progress that names its form', async () => {
    const { notes, clock } = await askNow([red], { meta: { progressToken: 7 } })
    expect(notes[0]).toMatchObject({
      params: { progressToken: 7, message: 'Waiting for the user to answer in its form' },
    })
    expect(clock.pending()).toBe(0)
  })
})

/** What is taken for a form that nobody saw, in both eras. */
const unseen: [string, unknown, Asked, boolean][] = [
  ['a quick refusal', { action: 'decline' }, { tookMs: 299 }, true],
  ['a refusal in the time of a person', { action: 'decline' }, { tookMs: 300 }, false],
  ['a quick cancellation', { action: 'cancel' }, { tookMs: 0 }, true],
  ['nothing, quickly', null, { tookMs: 0 }, true],
  ['an empty form', { action: 'accept', content: {} }, {}, true],
  ['no content', { action: 'accept' }, {}, true],
  ['a content of null', { action: 'accept', content: null }, {}, true],
  ['a quick answer', red, { tookMs: 0 }, false],
  [
    'an empty form without required questions',
    { action: 'accept', content: {} },
    { questions: [{ ...COLOUR, required: false }] },
    false,
  ],
]

describe('a form that nobody saw', () => {
  it.each(unseen)('is recognised by %s', async (_, answer, asked, isUnseen) => {
    const { result } = await askNow([answer], { ...asked, canGoElsewhere: true })
    expect(result === elsewhere).toBe(isUnseen)
    const stood = await callAgain(answer, { ...asked, canGoElsewhere: true })
    expect(stood.result === elsewhere).toBe(isUnseen)
  })

  it('is an answer where the question can be asked nowhere else', async () => {
    expect(kindOf((await askNow([{ action: 'decline' }], { tookMs: 0 })).result)).toBe('declined')
    expect(kindOf((await callAgain({ action: 'decline' }, { tookMs: 0 })).result)).toBe('declined')
  })
})

/** Calls for a client of 2026 that comes with an answer, or with none. */
async function callAgain(answer: unknown, asked: Asked = {}) {
  const { questions = [COLOUR], tookMs = 1000 } = asked
  const clock = createFakeClock()
  const state = String(clock.now())
  clock.advance(tookMs)
  const mcpReq = {
    envelope: {},
    requestState: () => state,
    ...(answer !== undefined && { inputResponses: { answer } }),
  }
  const ctx = { mcpReq } as unknown as ServerContext
  const result = await askClient({ questions }, ctx, settingsOf({ clock }), formsOf(asked))
  return { result: result as CallToolResult & InputRequiredResult, clock }
}

describe('a client of 2026', () => {
  it('gets the form as the result of its first call, with the time', async () => {
    const { result, clock } = await callAgain(undefined, { canGoElsewhere: true })
    expect(result).toMatchObject({
      inputRequests: {
        answer: {
          method: 'elicitation/create',
          params: { message: expect.stringContaining('Which colour?'), requestedSchema: { type: 'object' } },
        },
      },
      requestState: String(clock.now()),
    })
    expect(JSON.stringify(result)).not.toContain('Expected')
  })

  it.each([
    [red, 'answered'],
    [{ action: 'decline' }, 'declined'],
    [{ action: 'cancel' }, 'aborted'],
  ])('that comes again with %j has its result', async (answer, kind) => {
    const { result } = await callAgain(answer, { canGoElsewhere: true })
    expect(kindOf(result)).toBe(kind)
  })

  it('gets the form again after an invalid answer, with what was expected', async () => {
    const { result } = await callAgain(wrong)
    expect(result).not.toHaveProperty('structuredContent')
    expect(result.inputRequests).toMatchObject({
      answer: { params: { message: expect.stringContaining('\n\nExpected: ') } },
    })
  })
})

it('questions that cannot be asked reach nobody', async () => {
  const { result, sent } = await askNow([red], { questions: [] })
  expect(result).toMatchObject({ error: { code: 'INVALID_QUESTIONS' } })
  expect(sent).toEqual([])
})
