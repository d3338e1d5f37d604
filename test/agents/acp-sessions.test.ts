import { listQuestions } from '@sandagent/sdk'
import { describe, expect, it } from 'vitest'
import { startAcp } from '../support/acp.ts'
import { asked } from '../support/mcp.ts'

const chunk = (kind: string, text: string, messageId?: string) => ({
  update: { sessionUpdate: `agent_${kind}_chunk`, content: { type: 'text', text }, messageId },
})
const update = (sessionUpdate: string, fields: object) => ({ update: { sessionUpdate, ...fields } })
const content = (text: string) => [{ type: 'content', content: { type: 'text', text } }]
const form = (toolCallId?: string) => ({
  request: {
    'elicitation/create': {
      mode: 'form',
      message: 'Why?',
      ...(toolCallId !== undefined && { toolCallId }),
      requestedSchema: { type: 'object', properties: { why: { type: 'string' } } },
    },
  },
})

describe('a session of an agent of ACP', () => {
  it('shows thoughts, messages and calls in their order', async () => {
    const { ended, chunks } = await startAcp({
      steps: [
        chunk('thought', 'I look. '),
        chunk('message', 'Hello'),
        chunk('message', ' you', undefined),
        chunk('message', 'Next', 'm2'),
        update('tool_call', { toolCallId: 'a', title: 'Look', kind: 'read', status: 'pending' }),
        update('tool_call_update', { toolCallId: 'a', status: 'in_progress', rawInput: { path: 'a.txt' } }),
        update('tool_call_update', { toolCallId: 'a', status: 'completed', content: content('text of a') }),
        update('tool_call', {
          toolCallId: 'b',
          title: 'Break',
          status: 'failed',
          content: content('it broke'),
        }),
        update('tool_call', { toolCallId: 'c', title: 'Hang', kind: 'execute', status: 'in_progress' }),
      ],
    })
    await ended
    expect(
      chunks.map(({ type, delta, toolName, output, errorText }) => [
        type,
        delta ?? toolName ?? output ?? errorText,
      ]),
    ).toEqual([
      ['start', undefined],
      ['start-step', undefined],
      ['message-metadata', undefined],
      ['reasoning-start', undefined],
      ['reasoning-delta', 'I look. '],
      ['reasoning-end', undefined],
      ['text-start', undefined],
      ['text-delta', 'Hello'],
      ['text-delta', ' you'],
      ['text-end', undefined],
      ['text-start', undefined],
      ['text-delta', 'Next'],
      ['text-end', undefined],
      ['tool-input-start', 'read'],
      ['tool-input-available', 'read'],
      ['tool-output-available', 'text of a'],
      ['tool-input-start', 'a tool without a name'],
      ['tool-input-available', 'a tool without a name'],
      ['tool-output-error', 'it broke'],
      ['tool-input-start', 'execute'],
      ['tool-input-available', 'execute'],
      ['tool-output-error', 'The agent did not say how this call ended'],
      ['finish-step', undefined],
      ['finish', undefined],
    ])
  })

  it('offers forms and pages, and neither files nor terminals', async () => {
    const { ended, facts, sandbox } = await startAcp({})
    await ended
    const [start, session] = facts()
    expect(start?.params?.clientCapabilities).toMatchObject({
      elicitation: { form: {}, url: {} },
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
    })
    expect(session?.params).toEqual({ cwd: sandbox.workdir, mcpServers: [] })
  })

  it('goes on by loading, and shows nothing of its past', async () => {
    const history = [chunk('message', 'from before').update]
    const { ended, facts, chunks } = await startAcp(
      { history, steps: [chunk('message', 'new')] },
      { resume: 's9' },
    )
    await ended
    expect(facts().map(({ method }) => method)).toEqual(['initialize', 'session/load', 'session/prompt'])
    expect(chunks.flatMap(({ delta }) => delta ?? [])).toEqual(['new'])
    expect(chunks.find(({ messageMetadata }) => messageMetadata)?.messageMetadata).toEqual({
      sessionId: 's9',
    })
  })

  it('goes on by resuming where the agent can', async () => {
    const capabilities = { loadSession: true, sessionCapabilities: { resume: {} } }
    const { ended, facts } = await startAcp({ capabilities }, { resume: 's9' })
    await ended
    expect(facts()[1]).toMatchObject({ method: 'session/resume', params: { sessionId: 's9' } })
  })

  it('asks whether a person opens a page', async () => {
    const page = { mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: 'e1' }
    const { sandbox } = await startAcp({ steps: [{ request: { 'elicitation/create': page } }] })
    const { toolCallId, questions } = await asked(sandbox)
    expect(toolCallId).toBe('r-elicitation-1')
    expect(questions[0]?.question).toContain('This page is at example.com. Will you open it?')
  })

  it('asks beside a call that runs, whose output is still to come', async () => {
    const running = update('tool_call', { toolCallId: 'a', title: 'Work', status: 'in_progress' })
    const { sandbox } = await startAcp({ steps: [running, form('a')] })
    expect((await asked(sandbox)).toolCallId).toBe('r-a-question')
  })

  it('withdraws its questions and its turn when the run is stopped', async () => {
    const { sandbox, stop, ended, facts, chunks } = await startAcp({
      steps: [form(), { untilCancelled: true }],
    })
    await asked(sandbox)
    stop()
    await ended
    expect(await listQuestions(sandbox)).toEqual([])
    // Both are sent at once.
    expect(facts().slice(-2)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ method: 'session/cancel' }),
        expect.objectContaining({ method: 'elicitation/create', result: { action: 'cancel' } }),
      ]),
    )
    expect(chunks.at(-1)?.type).toBe('abort')
  })

  it('survives lines that are no JSON, methods that nobody knows and updates of the future', async () => {
    const { ended, chunks, results } = await startAcp({
      steps: [
        { raw: 'Debugger attached' },
        { raw: '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":1}}' },
        { request: { 'fs/read_text_file': { path: '/etc/passwd' } } },
        { request: { 'future/method': {} } },
        chunk('message', 'still here'),
      ],
    })
    await ended
    expect(await results(2)).toEqual([
      expect.objectContaining({ code: -32601 }),
      expect.objectContaining({ code: -32601 }),
    ])
    expect(chunks.flatMap(({ delta }) => delta ?? [])).toEqual(['still here'])
  })
})

describe('an agent of ACP that cannot go on', () => {
  it.each([
    ['ends in the middle', { steps: [{ exit: 3 }] }, {}, /exit code 3.*before its turn was over/s],
    [
      'ends well before its turn is over',
      { steps: [{ exit: 0 }] },
      {},
      /has ended, before its turn was over/,
    ],
    ['speaks another version', { version: 2 }, {}, /speaks version 2 of ACP, and version 1 is needed/],
    [
      'wants a sign-in',
      { authMethods: [{ id: 'a', name: 'Company login' }] },
      {},
      /not signed in.*Company login/,
    ],
    ['keeps no sessions', { capabilities: {} }, { resume: 's9' }, /cannot go on with a session/],
    ['reaches a limit', { stopReason: 'max_tokens' }, {}, /as much as it may in one turn/],
    ['is refused by its model', { stopReason: 'refusal' }, {}, /refused to go on/],
  ])('says so: it %s', async (_, script, options, why) => {
    const { ended, chunks } = await startAcp(script, options)
    await expect(ended).rejects.toThrow(why)
    expect(chunks.at(-1)).toMatchObject({ type: 'error', errorText: expect.stringMatching(why) })
  })

  it.each([
    ['is not there', { command: 'no-such-agent' }, /there is no such program/],
    ['speaks no ACP', { command: 'true', args: [] }, /has ended, before its turn was over.*gemini --acp/s],
    ['fails at once', { command: 'false', args: [] }, /exit code 1/],
  ])('says so: it %s', async (_, options, why) => {
    const { ended } = await startAcp({}, options)
    await expect(ended).rejects.toThrow(why)
  })

  it('withdraws what it asked when it dies', async () => {
    const { sandbox, ended, record } = await startAcp({
      steps: [{ together: [form('a'), { exit: 1, when: '.sandagent/questions/r-a.json' }] }],
    })
    await expect(ended).rejects.toThrow(/exit code 1/)
    expect(await listQuestions(sandbox)).toEqual([])
    expect(await record('r-a')).toMatchObject({ state: 'aborted' })
  })

  it('needs a prompt', async () => {
    const { ended } = await startAcp({}, {}, { prompt: ' ' })
    await expect(ended).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })
})
