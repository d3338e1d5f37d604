import type { Options, SDKUserMessage } from '@anthropic-ai/claude-agent-sdk'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type ClaudeAgentOptions, createClaudeAgent } from '../../../src/claude.ts'
import { createRun } from '../../agent-run.ts'
import { picked } from '../../workspace.ts'

type Query = (given: { prompt: AsyncIterable<SDKUserMessage>; options: Options }) => AsyncGenerator<object>

const sdk = vi.hoisted(() => ({
  query: (() => {}) as unknown,
  getSessionMessages: (() => []) as unknown,
}))
vi.mock('@anthropic-ai/claude-agent-sdk', () => ({
  query: (given: never) => (sdk.query as Query)(given),
  getSessionMessages: (...given: never[]) =>
    (sdk.getSessionMessages as (...given: never[]) => unknown)(...given),
}))

const questions = [
  {
    question: 'Which?',
    header: 'H',
    options: [
      { label: 'A', description: 'a' },
      { label: 'B', description: 'b' },
    ],
    multiSelect: false,
  },
]
const result = {
  type: 'result',
  subtype: 'success',
  session_id: 's',
  result: '',
  usage: { input_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
  total_cost_usd: 1,
  duration_ms: 1,
}
const init = { type: 'system', subtype: 'init', session_id: 's', model: 'm' }
const askCall = { type: 'tool_use', id: 'toolu_1', name: 'AskUserQuestion', input: { questions } }
const said = (...content: object[]) => ({
  type: 'assistant',
  parent_tool_use_id: null,
  message: { id: 'm1', content },
})
/** A transcript whose last message asks a question. */
const openQuestion = [{ type: 'assistant', message: { id: 'm1', content: [askCall] } }]

let given: Options
let heard: unknown[]
let sessions: unknown[][]
beforeEach(() => {
  heard = []
  sessions = []
  useSession(async function* () {
    yield init
    yield result
  })
  useTranscript([])
})

function useTranscript(transcript: object[]): void {
  sdk.getSessionMessages = async (...args: unknown[]) => {
    sessions.push(args)
    return transcript
  }
}

/** Stands in for Claude Code: it does this once it has heard the prompt, or once its input has ended. */
function useSession(turn: (options: Options) => AsyncGenerator<object>): void {
  const query: Query = ({ prompt, options }) => {
    given = options
    const run = async function* () {
      for await (const { message } of prompt) {
        heard.push(message.content)
        break
      }
      yield* turn(options)
    }
    return Object.assign(run(), { initializationResult: async () => ({}) })
  }
  sdk.query = query
}

const permit = (options: Options, more: object = {}) =>
  options.canUseTool?.('AskUserQuestion', { questions }, {
    signal: new AbortController().signal,
    toolUseID: 'toolu_1',
    requestId: 'r',
    ...more,
  } as never)

describe('createClaudeAgent', () => {
  it('starts a session in the workdir, without settings files, and says the prompt', async () => {
    const { run, space, chunks } = await createRun()
    await createClaudeAgent()(run)
    expect(heard).toEqual(['Build something'])
    expect(given).toMatchObject({
      cwd: space.workdir,
      settingSources: [],
      includePartialMessages: true,
      systemPrompt: { type: 'preset', preset: 'claude_code' },
    })
    for (const name of ['model', 'settings', 'resume', 'disallowedTools'])
      expect(given).not.toHaveProperty(name)
    // They tell the model what a person changed in a call.
    expect(Object.keys(given?.hooks ?? {})).toEqual(['PostToolUse', 'PostToolUseFailure'])
    expect(chunks().map(({ type }) => type)).toEqual(['message-metadata', 'message-metadata'])
    expect(sessions).toEqual([])
  })

  it('passes its options on', async () => {
    const { run, space } = await createRun()
    const options: ClaudeAgentOptions = {
      model: 'haiku',
      systemPrompt: 'Be brief',
      allowedTools: ['Read', 'Bash(ls)'],
      resume: 'session_1',
      deferAfterMs: 1000,
    }
    await createClaudeAgent(options)(run)
    expect(given).toMatchObject({
      model: 'haiku',
      systemPrompt: 'Be brief',
      settings: { permissions: { allow: ['Read', 'Bash(ls)'] } },
      resume: 'session_1',
      hooks: { PreToolUse: [{ matcher: 'AskUserQuestion' }] },
    })
    expect(sessions).toEqual([['session_1', { dir: space.workdir }]])
  })

  it('asks a question of the model, and shows it as its call', async () => {
    let permission: unknown
    useSession(async function* (options) {
      yield init
      yield said(askCall)
      permission = await permit(options)
      yield {
        type: 'user',
        parent_tool_use_id: null,
        message: { content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }] },
      }
      yield result
    })
    const { run, space, chunks } = await createRun()
    const done = createClaudeAgent()(run)
    await vi.waitFor(() => expect(chunks().map(({ type }) => type)).toContain('tool-input-available'))
    await space.respond('toolu_1', { q1: picked('B') })
    await done
    expect(permission).toMatchObject({ behavior: 'allow', updatedInput: { answers: { 'Which?': 'B' } } })
    expect(chunks().find(({ input }) => input)).toMatchObject({
      toolCallId: 'toolu_1',
      toolName: 'AskUserQuestion',
      input: { questions: [{ question: 'Which?' }] },
    })
    expect(chunks().find(({ output }) => output)?.output).toMatchObject({ answers: { 'Which?': 'B' } })
    expect(await space.record('toolu_1')).toMatchObject({ runId: 'run_1' })
  })

  it('does not show an approval as a call of its own', async () => {
    useSession(async function* (options) {
      const signal = new AbortController().signal
      await options.canUseTool?.('Bash', { command: 'ls' }, {
        signal,
        toolUseID: 'toolu_2',
        requestId: 'r',
      } as never)
      yield result
    })
    const { run, chunks, space } = await createRun({ timeoutMs: 0 })
    await createClaudeAgent()(run)
    expect(chunks().map(({ type }) => type)).toEqual(['message-metadata'])
    expect(await space.record('toolu_2')).toMatchObject({ kind: 'approval', state: 'timed-out' })
  })

  it('asks nobody when it is unattended', async () => {
    let permission: unknown
    useSession(async function* (options) {
      permission = await permit(options)
      yield result
    })
    const { run, space } = await createRun()
    await createClaudeAgent({ unattended: true, deferAfterMs: 1 })(run)
    expect(given.disallowedTools).toEqual(['AskUserQuestion'])
    expect(given).not.toHaveProperty('hooks')
    expect(permission).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('Nobody is there'),
    })
    expect(await space.host.questions()).toEqual([])
  })

  it('needs a prompt, unless a question is open', async () => {
    const { run } = await createRun({ prompt: ' ' })
    const missing = { code: 'INVALID_REQUEST', message: expect.stringContaining('A prompt is missing') }
    await expect(createClaudeAgent()(run)).rejects.toMatchObject(missing)
    await expect(createClaudeAgent({ resume: 's' })(run)).rejects.toMatchObject(missing)
    useTranscript(openQuestion)
    await expect(createClaudeAgent({ resume: 's', unattended: true })(run)).rejects.toMatchObject(missing)
    expect(heard).toEqual([])
  })

  it('fails with the error of its session', async () => {
    useSession(async function* () {
      yield { ...result, is_error: true, result: 'Please run /login' }
    })
    const { run } = await createRun()
    await expect(createClaudeAgent()(run)).rejects.toThrow('needs ANTHROPIC_API_KEY')
  })
})

describe('a resumed session with an open question', () => {
  it.each([
    [' ', /^The session broke off.*"Which\?": "B"$/s],
    ['Go on', /^The session broke off.*"Which\?": "B"\n\nGo on$/s],
  ])('asks it again, and tells the answer before the prompt: %j', async (prompt, words) => {
    useTranscript(openQuestion)
    const { run, space, chunks } = await createRun({ prompt })
    const done = createClaudeAgent({ resume: 's' })(run)
    await vi.waitFor(() => space.record('toolu_1'))
    await space.respond('toolu_1', { q1: picked('B') })
    await done
    expect(heard).toEqual([expect.stringMatching(words)])
    expect(chunks().map(({ type }) => type)).toContain('tool-output-available')
  })

  it('ends when there is still no answer', async () => {
    useTranscript(openQuestion)
    useSession(async function* () {})
    const { run, space } = await createRun({ prompt: '' })
    await createClaudeAgent({ resume: 's', deferAfterMs: 1 })(run)
    expect(heard).toEqual([])
    expect(await space.record('toolu_1')).toMatchObject({ state: 'open' })
  })

  it('leaves the question to the unattended model', async () => {
    useTranscript(openQuestion)
    const { run, space } = await createRun()
    await createClaudeAgent({ resume: 's', unattended: true })(run)
    expect(heard).toEqual(['Build something'])
    expect(given).not.toHaveProperty('disallowedTools')
    expect(await space.host.questions()).toEqual([])
  })
})

describe('an abort', () => {
  it('ends the session quietly, and withdraws its question', async () => {
    useSession(async function* (options) {
      await permit(options)
      options.abortController?.signal.throwIfAborted()
      yield result
    })
    const stop = new AbortController()
    const { run, space } = await createRun({ signal: stop.signal })
    const done = createClaudeAgent()(run)
    await vi.waitFor(() => space.record('toolu_1'))
    stop.abort()
    await done
    expect(await space.record('toolu_1')).toMatchObject({ state: 'aborted' })
    expect(given.abortController?.signal.aborted).toBe(true)
  })

  it('before the start aborts the session at once', async () => {
    let wasAborted: boolean | undefined
    useSession(async function* (options) {
      wasAborted = options.abortController?.signal.aborted
      yield init
      throw new Error('stopped')
    })
    const { run } = await createRun({ signal: AbortSignal.abort() })
    await createClaudeAgent()(run)
    expect(wasAborted).toBe(true)
  })
})
