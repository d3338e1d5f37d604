// AgentRail's document, sentence by sentence. Its package is not on npm; its executor checks arguments with TypeBox, which is.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { AskError } from '@sandagent/core'
import { AGENTRAIL_TOOL, parseRequest, type WaitingForUserInput } from '@sandagent/core/dialects/agentrail'
import {
  createAskRegistry,
  createAskUserQuestionTool,
  type WaitingForInput,
} from '@sandagent/runner/agentrail'
import { listQuestions } from '@sandagent/sdk'
import { createAnswerRegistry, createRespondHandler } from '@sandagent/sdk/agentrail'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { promptFor, type WaitingEvent } from '../dialects/clients/agentrail.ts'
import { post, serve } from '../support/servers/serve.ts'
import { createWorkspace } from '../support/workspace.ts'

/** The parameters that the document lists, as AgentRail declares them. */
const THEIRS = Type.Object({
  question: Type.String(),
  hint: Type.Optional(Type.String()),
  options: Type.Optional(Type.Array(Type.String())),
  multiple: Type.Optional(Type.Boolean()),
  custom: Type.Optional(Type.Boolean()),
})

/** A tool for one session, called as AgentRail's executor calls it, and the route that its page posts to. */
async function openSession() {
  const { sandbox, channel } = await createWorkspace()
  const events: WaitingForUserInput[] = []
  const signals: WaitingForInput[] = []
  const registry = createAnswerRegistry({ sandbox })
  const tool = createAskUserQuestionTool('session', createAskRegistry({ channel }), {
    onEvent: (event) => events.push(event),
  })
  const origin = await serve(createRespondHandler({ sandbox }))
  return {
    sandbox,
    registry,
    tool,
    signals,
    /** Checks the arguments, begins the call, and resolves once the page can show the question. */
    async call(args: object) {
      expect(Value.Check(tool.parameters as never, args)).toBe(true)
      const known = events.length
      const result = tool.execute(`call_${known}`, args, undefined, undefined, (signal) =>
        signals.push(signal),
      )
      result.catch(() => {})
      await vi.waitFor(() => expect(events.length).toBe(known + 1))
      return { event: events[known] as WaitingEvent, result }
    },
    async respond(body: unknown) {
      const response = await post(`${origin}/api/sessions/session/respond`, body)
      return { status: response.status, body: await response.json() }
    },
  }
}

/** Asks, lets the page post what a person entered, and gives what the model reads. */
async function answerTo(args: object, ...wish: string[]): Promise<string> {
  const { call, respond } = await openSession()
  const { event, result } = await call(args)
  const posted = await respond({ kind: 'question', answer: promptFor(event, wish).trim() })
  expect(posted).toEqual({ status: 200, body: { ok: true } })
  return (await result).details.answer
}

describe('the parameters of AgentRail’s tool', () => {
  it('are checked by TypeBox exactly as AgentRail’s own, over 1,000 random calls', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string()),
      fc.integer(),
    )
    const mostly = <T>(value: fc.Arbitrary<T>) => fc.oneof({ weight: 8, arbitrary: value }, anything)
    const args = fc.record(
      {
        question: mostly(fc.string()),
        hint: mostly(fc.string()),
        options: mostly(fc.array(fc.string(), { maxLength: 5 })),
        multiple: mostly(fc.boolean()),
        custom: mostly(fc.boolean()),
        extra: anything,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(args, (given) => {
        expect(Value.Check(AGENTRAIL_TOOL.inputSchema as never, given)).toBe(Value.Check(THEIRS, given))
      }),
      { numRuns: 1_000 },
    )
  })

  it('can be asked, all of 1,000 random ones, but for questions that nobody could answer or tell apart', () => {
    const args = fc.record(
      {
        question: fc.string(),
        hint: fc.string(),
        options: fc.array(fc.string(), { maxLength: 5 }),
        multiple: fc.boolean(),
        custom: fc.boolean(),
        extra: fc.anything(),
      },
      { requiredKeys: ['question'] },
    )
    const isMeant = ({
      question,
      options = [],
      custom = true,
    }: {
      question: string
      options?: string[]
      custom?: boolean
    }) =>
      question.trim() === '' ||
      options.some((label) => label.trim() === '') ||
      new Set(options).size < options.length ||
      (options.length === 0 && !custom)
    fc.assert(
      fc.property(args, (given) => {
        expect(Value.Check(THEIRS, given)).toBe(true)
        expect(isAsked(given)).toBe(!isMeant(given))
      }),
      { numRuns: 1_000 },
    )
  })

  it('are plain JSON Schema for a model', () => {
    const { required, properties = {} } = JSON.parse(JSON.stringify(AGENTRAIL_TOOL.inputSchema))
    expect(required).toEqual(['question'])
    expect(Object.keys(properties)).toEqual(Object.keys(THEIRS.properties))
  })

  it('say that several options may be picked only where asked for, and that answers may be typed by default', async () => {
    const { call } = await openSession()
    const { event } = await call({ question: 'Which?', options: ['A', 'B'] })
    expect(event).toMatchObject({ multiple: false, custom: true })
  })

  it('tell the model to put a recommended option first, and not to add one for other answers', () => {
    expect(AGENTRAIL_TOOL.description).toContain('" (Recommended)"')
    expect(JSON.stringify(AGENTRAIL_TOOL.inputSchema)).toContain('Do not add \\"Other\\"')
  })

  it('tell the model to ask sparingly', () => {
    expect(AGENTRAIL_TOOL.description).toContain('sparingly')
  })
})

const isAsked = (args: unknown): boolean => {
  try {
    return parseRequest(args).length === 1
  } catch (error) {
    if (error instanceof AskError) return false
    throw error
  }
}

describe('the event of a question that waits', () => {
  it('has the id of the call, the question and all that was given', async () => {
    const { call, signals } = await openSession()
    const asked = {
      question: 'Where to?',
      hint: 'a cloud',
      options: ['AWS', 'GCP'],
      multiple: true,
      custom: false,
    }
    const { event } = await call(asked)
    expect(event).toEqual({ type: 'waiting_for_user_input', toolCallId: 'call_0', ...asked })
    expect(signals).toEqual([{ type: 'waiting_for_input', ...asked }])
  })

  it('has an empty list of options where an empty one was given', async () => {
    const { call } = await openSession()
    expect((await call({ question: 'Where to?', options: [] })).event.options).toEqual([])
    expect((await call({ question: 'Where from?' })).event).not.toHaveProperty('options')
  })

  it('leaves out keys that the tool does not have', async () => {
    const { call } = await openSession()
    const { event } = await call({ question: 'Where to?', urgency: 'high' })
    expect(event).not.toHaveProperty('urgency')
  })
})

describe('an answer reaches the model', () => {
  it('in the typed words, where there are no options', async () => {
    expect(await answerTo({ question: 'What is the target?', hint: 'e.g. AWS' }, 'our own machines')).toBe(
      'our own machines',
    )
  })

  it('as the label of the option picked, where typed answers are off', async () => {
    const options = ['Vitest (Recommended)', 'Jest', 'Mocha']
    expect(
      await answerTo({ question: 'Which framework?', options, custom: false }, options[0] as string),
    ).toBe('Vitest (Recommended)')
  })

  it('in words beside the options, where typed answers are on', async () => {
    expect(await answerTo({ question: 'Which?', options: ['A', 'B'] }, 'neither')).toBe('neither')
  })

  it('in the typed words, with their commas, where several options may be picked', async () => {
    const asked = { question: 'Where to?', options: ['Bonn', 'Bern'], multiple: true }
    expect(await answerTo(asked, 'Rome, Oslo')).toBe('Rome, Oslo')
    expect(await answerTo(asked, 'Bonn', 'Rome, Oslo')).toBe('Bonn, Rome, Oslo')
  })

  it('joined by commas, where several options were picked', async () => {
    const asked = { question: 'Which?', options: ['A', 'B', 'C'], multiple: true }
    expect(await answerTo(asked, 'A', 'C')).toBe('A, C')
  })

  it('without quotes, where one option with a comma was picked out of several that may be', async () => {
    const options = ['Jest, with ts-jest', 'Say "hi"', 'C']
    for (const label of options)
      expect(await answerTo({ question: 'Which?', options, multiple: true }, label)).toBe(label)
  })

  it('as the option, where its label has space around it that their page trimmed', async () => {
    const asked = { question: 'Which?', options: [' A ', 'B '], custom: false }
    expect(await answerTo(asked, ' A ')).toBe(' A ')
    expect(await answerTo({ ...asked, multiple: true }, ' A ', 'B ')).toBe(' A , B ')
  })
})

describe('POST /api/sessions/:sessionId/respond', () => {
  it('resumes the call, which gives question and answer', async () => {
    const { call, respond } = await openSession()
    const { result } = await call({ question: 'Which?' })
    expect(await respond({ kind: 'question', answer: ' Vitest ' })).toEqual({
      status: 200,
      body: { ok: true },
    })
    expect((await result).details).toEqual({ question: 'Which?', answer: 'Vitest' })
  })

  it('takes an answer that does not say its kind, as AgentRail’s own page sends it', async () => {
    const { call, respond } = await openSession()
    const { result } = await call({ question: 'Which?' })
    expect((await respond({ answer: 'Vitest' })).status).toBe(200)
    expect((await result).details.answer).toBe('Vitest')
  })

  it('suspends the call until there is an answer', async () => {
    const { call, respond, registry } = await openSession()
    const { result } = await call({ question: 'Which?' })
    expect((await respond({ kind: 'question', answer: ' ' })).status).toBe(400)
    expect(await registry.hasPending('session')).toBe(true)
    await respond({ answer: 'this' })
    await result
    expect(await registry.hasPending('session')).toBe(false)
  })
})

describe('meant differently from AgentRail', () => {
  it('a second question of a session does not end the first one', async () => {
    const { call, respond } = await openSession()
    const first = await call({ question: 'First?' })
    const second = await call({ question: 'Second?' })
    expect((await respond({ answer: 'a guess' })).status).toBe(409)
    expect((await respond({ answer: 'two', toolCallId: second.event.toolCallId })).status).toBe(200)
    expect((await respond({ answer: 'one', toolCallId: first.event.toolCallId })).status).toBe(200)
    expect((await first.result).details.answer).toBe('one')
    expect((await second.result).details.answer).toBe('two')
  })

  it('a question whose asker was killed stays open, and does not stand in the way of the next one', async () => {
    const { call, respond, sandbox } = await openSession()
    const program = fileURLToPath(new URL('../fixtures/asks.mjs', import.meta.url))
    const asker = spawn(process.execPath, [program, sandbox.workdir, 'session'], { stdio: 'ignore' })
    onTestFinished(() => void asker.kill('SIGKILL'))
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
    asker.kill('SIGKILL')
    await once(asker, 'exit')
    const { result } = await call({ question: 'Next?' })
    expect((await respond({ kind: 'question', answer: 'next' })).status).toBe(200)
    expect((await result).details.answer).toBe('next')
    expect((await respond({ kind: 'question', answer: 'Blue' })).status).toBe(200)
    expect(await listQuestions(sandbox)).toEqual([])
  })

  it('several options that would read as another one are quoted', async () => {
    const asked = { question: 'Which?', options: ['A', 'B', 'A, B'], multiple: true }
    expect(await answerTo(asked, 'A, B')).toBe('A, B')
    const { call, respond } = await openSession()
    const { result } = await call(asked)
    await respond({ answer: '"A", "B"' })
    expect((await result).details.answer).toBe('"A", "B"')
  })

  it.each([
    ['a question without words', { question: ' ' }],
    ['an option without words', { question: 'Which?', options: ['A', ''] }],
    ['two equal options', { question: 'Which?', options: ['A', 'A'] }],
    ['nothing to answer with', { question: 'Which?', options: [], custom: false }],
  ])('%s is refused before anybody is asked, and the model reads why', async (_, args) => {
    const { tool, registry } = await openSession()
    expect(Value.Check(THEIRS, args)).toBe(true)
    await expect(tool.execute('call', args)).rejects.toMatchObject({ code: 'INVALID_QUESTIONS' })
    expect(await registry.hasPending('session')).toBe(false)
  })

  it('a refusal is an error for the model, not an answer', async () => {
    const { call, registry } = await openSession()
    const { result } = await call({ question: 'Which?' })
    await registry.cancel('session')
    await expect(result).rejects.toThrow('The user declined to answer')
  })
})
