import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, listQuestions, listRuns } from '@sandagent/sdk'
import { simulateReadableStream, type UIMessage } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type AskingStreamOptions, askingStream } from '../src/asking-stream.ts'
import { readMessages } from '../src/folder-messages.ts'

const user = (id: string, text = id): UIMessage => ({ id, role: 'user', parts: [{ type: 'text', text }] })
const said = { type: 'text', text: 'Hello' }

const finish = (unified: 'stop' | 'tool-calls') => ({
  type: 'finish' as const,
  finishReason: { unified, raw: unified },
  usage: { inputTokens: {}, outputTokens: {} },
})
const questions = [{ question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }]

/** A model that says hello, or asks first if the message says so. */
const model = () => {
  let calls = 0
  return new MockLanguageModelV4({
    async doStream({ prompt }) {
      const last = prompt.at(-1)
      const asks = last?.role === 'user' && JSON.stringify(last.content).includes('Ask')
      const call = {
        type: 'tool-call',
        toolCallId: `call_${calls++}`,
        toolName: 'AskUserQuestion',
        input: JSON.stringify({ questions }),
      }
      const text = [
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: 'Hello' },
        { type: 'text-end', id: 't' },
      ]
      const chunks = asks ? [call, finish('tool-calls')] : [...text, finish('stop')]
      return {
        stream: simulateReadableStream({
          chunks: [{ type: 'stream-start', warnings: [] }, ...chunks] as never,
        }),
      }
    },
  })
}

/** Sends messages to one chat of a folder. */
async function opened(options: Partial<AskingStreamOptions> = {}) {
  const folder = await tempDir()
  const sandbox = new LocalSandbox({ workdir: folder })
  // A page has its reply a moment before the run has ended.
  const allEnded = async () =>
    expect((await listRuns(sandbox)).every(({ state }) => state !== 'running')).toBe(true)
  onTestFinished(() => vi.waitFor(allEnded))
  const chat = { model: model(), folder, chatId: 'c1', ...options }
  const send = (messages: unknown[] | undefined, more: Partial<AskingStreamOptions> = {}) =>
    askingStream({ ...chat, messages, ...more })
  const read = async (...of: Parameters<typeof send>) => (await send(...of)).text()
  const roles = async () => (await readMessages(chat)).map(({ role }) => role)
  return { folder, sandbox, send, read, roles, chat }
}

it('replies, and keeps what was said', async () => {
  const { send, roles, chat } = await opened({ owner: 'ada' })
  const reply = await send([user('u1')])
  expect(reply.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
  expect(await reply.text()).toContain('Hello')
  expect(await roles()).toEqual(['user', 'assistant'])
  expect((await readMessages(chat)).at(-1)?.parts).toContainEqual(expect.objectContaining(said))
})

it('has nothing to go on with in a new chat, and in one that has ended', async () => {
  const { send, read } = await opened()
  expect((await send(undefined)).status).toBe(204)
  await read([user('u1')])
  await vi.waitFor(async () => expect((await send(undefined)).status).toBe(204))
})

it('another owner has another chat, with the same id in the same folder', async () => {
  const { read, chat, sandbox } = await opened({ owner: 'ada' })
  await read([user('u1', 'from Ada')])
  expect((await askingStream({ ...chat, owner: 'bob' })).status).toBe(204)
  await read([user('u1', 'from Bob')], { owner: 'bob' })
  expect(JSON.stringify(await readMessages({ ...chat, owner: 'bob' }))).not.toContain('Ada')
  expect((await listRuns(sandbox)).map(({ owner }) => owner).sort()).toEqual(['ada', 'bob'])
})

it('a stop button withdraws the question, and the chat goes on with the next message', async () => {
  const { read, send, sandbox, roles } = await opened()
  const stop = new AbortController()
  const reply = await send([user('u1', 'Ask')], { abortSignal: stop.signal })
  await vi.waitFor(async () => expect(await listQuestions(sandbox)).toMatchObject([{ state: 'open' }]))
  stop.abort()
  expect(await reply.text()).toContain('"type":"abort"')
  await vi.waitFor(async () => expect((await send(undefined)).status).toBe(204))
  await vi.waitFor(async () => expect(await listQuestions(sandbox)).toEqual([]))
  expect(await read([user('u2')])).toContain('Hello')
  expect(await roles()).toEqual(['user', 'assistant', 'user', 'assistant'])
})

it('keeps the logs of the last two replies', async () => {
  const { read, sandbox } = await opened()
  for (const id of ['u1', 'u2', 'u3', 'u4']) expect(await read([user(id)])).toContain('Hello')
  const [run] = await listRuns(sandbox)
  expect(run).toMatchObject({ attempt: 4, metadata: { chat: 'c1', message: 'u4' }, prompt: 'u4' })
  const names = await sandbox.files.list(`.sandagent/runs/${run?.runId}`)
  expect(names.sort()).toEqual(['3', '3.json', '4', '4.json'])
})

it('a database that fails does not lose the message: it can be sent again', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => printed.mockRestore())
  let messages: UIMessage[] = []
  const broken = new Set(['load'])
  const fail = (name: string) => {
    if (broken.has(name)) throw new Error('The database is gone')
  }
  const database = {
    async load() {
      fail('load')
      return messages
    },
    async save(_: string, all: UIMessage[]) {
      fail('save')
      messages = all
    },
  }
  const { send, read, sandbox } = await opened({ database })
  expect((await send([user('u1')])).status).toBe(500)
  expect(await listRuns(sandbox)).toEqual([])
  broken.delete('load')
  broken.add('save')
  expect((await send([user('u1')])).status).toBe(500)
  broken.delete('save')
  expect(await read([user('u1')])).toContain('Hello')
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(printed).toHaveBeenCalledTimes(2)
})

it('a reply that could not be saved is saved when the page is loaded again, and the model says nothing again', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => printed.mockRestore())
  let messages: UIMessage[] = []
  let saves = 0
  const database = {
    load: async () => messages,
    async save(_: string, all: UIMessage[]) {
      if (++saves === 2) throw new Error('The database is gone')
      messages = all
    },
  }
  const spoken = model()
  const { read } = await opened({ model: spoken, database })
  expect(await read([user('u1')])).toContain('The agent ended before it was done')
  expect(messages).toHaveLength(1)
  const again = await read(undefined)
  expect(again).toContain('Hello')
  expect(again).not.toContain('"type":"error"')
  expect(messages).toHaveLength(2)
  expect(spoken.doStreamCalls).toHaveLength(1)
})
