import type { ChannelWarning } from '@sandagent/core'
import { describe, expect, it, vi } from 'vitest'
import type { ReplyLine } from '../../../src/agents/command/lines.ts'
import { createCommandSession } from '../../../src/agents/command/session.ts'
import type { AgentRun } from '../../../src/index.ts'
import { createRun } from '../../agent-run.ts'
import { picked, typed } from '../../workspace.ts'

const COLOUR = { id: 'colour', question: 'Colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }
const NAME = { id: 'name', question: 'Name?' }

async function createSession(given: Partial<AgentRun> = {}) {
  const warnings: ChannelWarning[] = []
  const created = await createRun({ onWarning: (warning) => void warnings.push(warning), ...given })
  const replies: ReplyLine[] = []
  const stop = new AbortController()
  const session = createCommandSession({
    run: created.run,
    signal: stop.signal,
    reply: (line) => replies.push(line),
  })
  const take = (message: object): Promise<void> => session.take(JSON.stringify(message))
  const asked = (id: string): Promise<unknown> => vi.waitFor(() => created.space.record(id))
  return { ...created, session, take, asked, replies, warnings, stop: () => stop.abort() }
}

describe('createCommandSession', () => {
  it('shows lines of text as one text, and what is said as a text of its own', async () => {
    const { session, take, chunks } = await createSession()
    await session.take('one')
    await session.take('two')
    await take({ type: 'say', text: 'Three\n' })
    await session.take('four')
    await session.end()
    expect(chunks().map(({ type, delta }) => delta ?? type)).toEqual([
      ...['text-start', 'one\n', 'two\n', 'text-end'],
      ...['text-start', 'Three\n', 'text-end'],
      ...['text-start', 'four\n', 'text-end'],
    ])
  })

  it('refuses keys that no question has, and asks nothing', async () => {
    const { take, replies, session } = await createSession()
    await take({ type: 'ask', id: 'a', questions: [{ ...COLOUR, blocking: false, defaultOptoin: 'Red' }] })
    await session.end()
    expect(replies).toMatchObject([
      {
        type: 'error',
        id: 'a',
        code: 'INVALID_QUESTIONS',
        faults: [{ path: 'questions.0.blocking' }, { path: 'questions.0.defaultOptoin' }],
      },
    ])
  })

  it('shows work with its output or its error', async () => {
    const { session, take, chunks } = await createSession()
    await session.take('Look:')
    await take({ type: 'tool', name: 'Bash', input: { command: 'ls' }, output: { stdout: 'a' } })
    await take({ type: 'tool', name: 'Bash', error: 'no such file' })
    expect(chunks().slice(2)).toMatchObject([
      { type: 'text-end' },
      {
        type: 'tool-input-available',
        toolCallId: 'run_1-tool-1',
        toolName: 'Bash',
        input: { command: 'ls' },
      },
      { type: 'tool-output-available', toolCallId: 'run_1-tool-1', output: { stdout: 'a' } },
      { type: 'tool-input-available', toolCallId: 'run_1-tool-2', input: {} },
      { type: 'tool-output-error', toolCallId: 'run_1-tool-2', errorText: 'no such file' },
    ])
  })

  it('asks for a permission, and says why', async () => {
    const { session, take, asked, space, replies, chunks } = await createSession()
    const subject = {
      toolName: 'deploy',
      input: { to: 'production' },
      reasons: [{ by: 'rule', text: 'Production is not the test system' }],
    }
    await take({ type: 'ask', id: 'go', subject })
    expect(await asked('run_1-go')).toMatchObject({
      kind: 'approval',
      toolName: 'deploy',
      subject,
      questions: [{ id: 'permission', options: [{ value: 'allow-once' }, { value: 'deny' }] }],
    })
    // The record is there before its folder is synced, and the session tells of it then.
    await vi.waitFor(() =>
      expect(chunks()).toMatchObject([
        { type: 'tool-input-available', toolName: 'deploy', input: subject.input },
      ]),
    )
    await space.respond('run_1-go', { permission: picked('allow-once') })
    await session.end()
    expect(replies).toMatchObject([
      { kind: 'answered', responses: { permission: { selected: ['allow-once'], source: 'human' } } },
    ])
  })

  it('replies with the input as a person edited it, where the program says that it runs that', async () => {
    const { session, take, asked, space, replies } = await createSession()
    const subject = { toolName: 'deploy', input: { to: 'production' }, editable: true }
    await take({ type: 'ask', id: 'go', subject })
    await asked('run_1-go')
    const edited = { ...picked('allow-once'), input: { to: 'staging' } }
    await space.respond('run_1-go', { permission: edited })
    await session.end()
    expect(replies).toMatchObject([
      {
        kind: 'answered',
        responses: { permission: edited },
        text: expect.stringContaining('"Allow once" with the input {"to":"staging"}'),
      },
    ])
  })

  it('takes no edit of a call that the program runs only as it is', async () => {
    const { session, take, asked, space, replies } = await createSession({ timeoutMs: 300 })
    await take({ type: 'ask', id: 'go', subject: { toolName: 'deploy', input: { to: 'production' } } })
    await asked('run_1-go')
    const edited = { ...picked('allow-once'), input: { to: 'staging' } }
    await space.respond('run_1-go', { permission: edited })
    await session.end()
    expect(replies).toMatchObject([{ kind: 'timed-out', responses: {} }])
  })

  it('says what is missing where it asks neither', async () => {
    const { session, take, replies } = await createSession()
    await take({ type: 'ask' })
    await session.end()
    expect(replies).toMatchObject([{ type: 'error', code: 'INVALID_QUESTIONS' }])
  })

  it('answers a question by its id, with text, lists and words', async () => {
    const { session, take, asked, space, replies, chunks } = await createSession()
    await take({ type: 'ask', id: 'look', questions: [COLOUR, NAME] })
    await asked('run_1-look')
    await space.respond('run_1-look', { colour: picked('Blue'), name: typed('it') })
    await session.end()
    expect(replies).toEqual([
      {
        type: 'answer',
        id: 'look',
        kind: 'answered',
        answers: { colour: 'Blue', 'Colour?': 'Blue', name: 'it', 'Name?': 'it' },
        responses: { colour: picked('Blue'), name: typed('it') },
        text: 'The user answered:\n- "Colour?": "Blue"\n- "Name?": in their own words "it"',
      },
    ])
    expect(chunks()).toMatchObject([
      { type: 'tool-input-available', toolCallId: 'run_1-look', toolName: 'AskUserQuestion' },
      { type: 'tool-output-available', toolCallId: 'run_1-look' },
    ])
  })

  it('lets several questions wait at once and goes on meanwhile', async () => {
    const { session, take, asked, space, replies, text } = await createSession()
    await take({ type: 'ask', questions: [COLOUR] })
    await take({ type: 'ask', questions: [NAME] })
    await take({ type: 'say', text: 'Meanwhile' })
    expect(text()).toContain('Meanwhile')
    await asked('run_1-2')
    await space.respond('run_1-2', { name: typed('it') })
    await vi.waitFor(() => expect(replies).toMatchObject([{ id: '2', kind: 'answered' }]))
    await asked('run_1-1')
    await space.respond('run_1-1', { colour: picked('Red') })
    await session.end()
    expect(replies).toMatchObject([{ id: '2' }, { id: '1', answers: { 'Colour?': 'Red' } }])
  })

  it('shows that a question does not block', async () => {
    const { session, take, asked, space, chunks } = await createSession()
    await take({ type: 'ask', id: 'a', questions: [{ ...COLOUR, defaultOption: 'Red' }], wait: false })
    await asked('run_1-a')
    await vi.waitFor(() =>
      expect(chunks()[0]).toMatchObject({ type: 'tool-input-available', input: { blocking: false } }),
    )
    await space.respond('run_1-a', { colour: picked('Red') })
    await session.end()
  })

  it('tells of a refusal and of a time-out as kinds of answers', async () => {
    const { session, take, asked, space, replies, chunks } = await createSession()
    await take({ type: 'ask', id: 'a', questions: [COLOUR] })
    await asked('run_1-a')
    await space.respond('run_1-a', {}, { status: 'declined', reason: 'later' })
    await session.end()
    const withDefault = { ...COLOUR, defaultOption: 'Red' }
    await take({ type: 'ask', id: 'b', questions: [withDefault], timeoutMs: 1, timeoutPolicy: 'defaults' })
    await session.end()
    expect(replies).toMatchObject([
      { id: 'a', kind: 'declined', answers: {}, text: expect.stringContaining('later') },
      { id: 'b', kind: 'timed-out', answers: { 'Colour?': 'Red' }, text: expect.stringContaining('default') },
    ])
    expect(chunks().filter(({ type }) => type === 'tool-output-error')).toHaveLength(2)
  })

  it('takes the time-out of the run where the question has none', async () => {
    const { session, take, replies } = await createSession({ timeoutMs: 1 })
    await take({ type: 'ask', questions: [COLOUR] })
    await session.end()
    expect(replies).toMatchObject([{ kind: 'timed-out' }])
  })

  it('gives the same answer again when the same is asked under the same id', async () => {
    const { session, take, asked, space, replies } = await createSession()
    await take({ type: 'ask', id: 'a', questions: [COLOUR] })
    await asked('run_1-a')
    await space.respond('run_1-a', { colour: picked('Red') })
    await session.end()
    await take({ type: 'ask', id: 'a', questions: [COLOUR] })
    await session.end()
    expect(replies[1]).toEqual(replies[0])
  })

  it('replies to a line with faults, warns, and goes on', async () => {
    const { session, take, replies, warnings, text } = await createSession()
    await take({ type: 'aks' })
    await take({ type: 'say', text: 'Still here' })
    const fault = { path: 'type', expected: 'say, ask, withdraw or tool' }
    expect(replies).toEqual([
      { type: 'error', code: 'INVALID_REQUEST', message: expect.any(String), faults: [fault] },
    ])
    expect(warnings).toMatchObject([{ code: 'INVALID_REQUEST' }])
    expect(text()).toBe('Still here\n')
    await session.end()
  })

  it('names the call in the reply to an ask line with faults', async () => {
    const { session, take, replies } = await createSession()
    await take({ type: 'ask', id: 'where', questions: [NAME], timeoutMs: -1 })
    await take({ type: 'say', id: 'where' })
    expect(replies).toMatchObject([{ id: 'where', faults: [{ path: 'timeoutMs' }] }, { type: 'error' }])
    expect(replies[1]).not.toHaveProperty('id')
    await session.end()
  })

  it('asks anew what is withdrawn at that moment, and a withdrawal is for all that wait under its id', async () => {
    const { session, take, asked, space, replies } = await createSession()
    const ask = { type: 'ask', id: 'a', wait: false, questions: [{ ...COLOUR, defaultOption: 'Red' }] }
    await take(ask)
    await take(ask)
    await asked('run_1-a')
    const { nonce } = await space.record('run_1-a')
    await take({ type: 'withdraw', id: 'a' })
    await take(ask)
    await vi.waitFor(async () => expect((await space.record('run_1-a')).nonce).not.toBe(nonce))
    expect(replies).toMatchObject([{ kind: 'aborted' }, { kind: 'aborted' }])
    await space.respond('run_1-a', { colour: picked('Blue') })
    await session.end()
    expect(replies[2]).toMatchObject({ id: 'a', kind: 'answered', held: { colour: false } })
  })

  it('withdraws what waits after a second call with its id was refused', async () => {
    const { session, take, asked, replies } = await createSession()
    const ask = { type: 'ask', id: 'a', questions: [COLOUR] }
    await take(ask)
    await asked('run_1-a')
    await take({ ...ask, questions: [{ ...COLOUR, colour: 'Red' }] })
    await vi.waitFor(() => expect(replies).toMatchObject([{ type: 'error' }]))
    await take({ type: 'withdraw', id: 'a' })
    await session.end()
    expect(replies[1]).toMatchObject({ id: 'a', kind: 'aborted' })
  })

  it('names the call in the reply to an ask line that is no JSON, by its id or its count', async () => {
    const { session, take, asked, space, replies, text } = await createSession()
    await session.take('{"type":"ask","questions":[{"question":"A "b"?"}]}')
    await session.take('{"type": "ask", "id": "where", "questions": [NaN]}')
    await session.take('{"type":"withdraw","id":"where"')
    await session.take('{"type":"say","id":"where","text":"')
    await take({ type: 'ask', timeoutMs: -1 })
    await take({ type: 'ask', questions: [COLOUR] })
    await asked('run_1-4')
    await space.respond('run_1-4', { colour: picked('Red') })
    await session.end()
    expect(replies.map(({ type, id }) => [type, id])).toEqual([
      ['error', '1'],
      ['error', 'where'],
      ['error', 'where'],
      ['error', undefined],
      ['error', '3'],
      ['answer', '4'],
    ])
    expect(text()).toBe('')
  })

  it('replies to questions that cannot be asked, under their id, and shows nothing of them', async () => {
    const { session, take, asked, replies, chunks, stop } = await createSession()
    await take({ type: 'ask', id: 'a', questions: [{ question: '' }] })
    await session.end()
    expect(chunks()).toEqual([])
    await take({ type: 'ask', id: 'b', questions: [COLOUR] })
    await asked('run_1-b')
    await take({ type: 'ask', id: 'b', questions: [NAME] })
    await vi.waitFor(() =>
      expect(replies).toMatchObject([
        { type: 'error', id: 'a', code: 'INVALID_QUESTIONS', faults: [{ path: 'questions.0.question' }] },
        { type: 'error', id: 'b', code: 'CONFLICT', faults: [] },
      ]),
    )
    stop()
    await session.end()
  })

  it('withdraws what waits when it is stopped, and takes no more lines', async () => {
    const { session, take, asked, space, replies, chunks, stop } = await createSession()
    await take({ type: 'ask', questions: [COLOUR] })
    await asked('run_1-1')
    stop()
    await take({ type: 'ask', questions: [NAME] })
    await session.end()
    expect(await space.record('run_1-1')).toMatchObject({ state: 'aborted' })
    expect(replies).toMatchObject([{ id: '1', kind: 'aborted' }])
    expect(chunks().at(-1)).toMatchObject({ type: 'tool-output-error', toolCallId: 'run_1-1' })
  })
})
