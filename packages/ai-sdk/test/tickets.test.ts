import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, listQuestions, listRuns, submitAnswer } from '@sandagent/sdk'
import { simulateReadableStream, type UIMessage } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, it, vi } from 'vitest'
import { askingStream } from '../src/asking-stream.ts'

const finish = (unified: 'stop' | 'tool-calls') => ({
  type: 'finish',
  finishReason: { unified, raw: unified },
  usage: { inputTokens: {}, outputTokens: {} },
})
const ask = {
  type: 'tool-call',
  toolCallId: 'ask',
  toolName: 'AskUserQuestion',
  input: JSON.stringify({
    questions: [
      {
        question: 'Which database?',
        options: [{ label: 'Postgres' }, { label: 'SQLite' }],
        defaultOption: 'Postgres',
      },
    ],
    blocking: false,
  }),
}
const says = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'I take Postgres.' },
  { type: 'text-end', id: 't' },
]

/** A chat of which each server is another one. Its model asks once. */
async function opened() {
  const folder = await tempDir()
  const sandbox = new LocalSandbox({ workdir: folder })
  const model = new MockLanguageModelV4({
    async doStream() {
      const isFirst = model.doStreamCalls.length === 1
      const chunks = isFirst ? [ask, finish('tool-calls')] : [...says, finish('stop')]
      return {
        stream: simulateReadableStream({
          chunks: [{ type: 'stream-start', warnings: [] }, ...chunks] as never,
        }),
      }
    },
  })
  const send = async (id: string) => {
    const message: UIMessage = { id, role: 'user', parts: [{ type: 'text', text: id }] }
    const reply = await askingStream({ model, folder, chatId: 'c1', tickets: true, messages: [message] })
    return reply.text()
  }
  const isOver = () =>
    vi.waitFor(async () => expect(await listRuns(sandbox)).not.toMatchObject([{ state: 'running' }]))
  const told = () => JSON.stringify(model.doStreamCalls.at(-1)?.prompt)
  return { sandbox, send, isOver, told }
}

it('a question without a reply that waits says that its agent comes back, while its server lives', async () => {
  const { sandbox, send, isOver } = await opened()
  await send('Build it.')
  await isOver()
  expect(await listQuestions(sandbox)).toMatchObject([
    { toolCallId: 'ask', blocking: false, comesBack: true, runEnded: true },
  ])
})

it('an answer between two replies is told with the next one, once', async () => {
  const { sandbox, send, isOver, told } = await opened()
  await send('Build it.')
  await isOver()
  await submitAnswer(sandbox, { toolCallId: 'ask', answers: { 'Which database?': 'SQLite' } })
  await send('And now?')
  expect(told()).toContain('which does not hold: undo what you based on it')
  expect(await listQuestions(sandbox)).toEqual([])
  await isOver()
  await send('Thanks.')
  expect(told().match(/which does not hold/g)).toHaveLength(1)
})

it('a question that is left open goes on while the next reply is written, and comes back after it', async () => {
  const { sandbox, send, isOver } = await opened()
  await send('Build it.')
  await isOver()
  await send('And now?')
  await isOver()
  expect(await listQuestions(sandbox)).toMatchObject([{ toolCallId: 'ask', comesBack: true, runEnded: true }])
})
