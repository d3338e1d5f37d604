import { fileURLToPath } from 'node:url'
import {
  AskError,
  listRuns,
  type Run,
  type RunRequest,
  type RunSandbox,
  startRun,
  stopRun,
  streamRun,
} from '@sandagent/sdk'
import type { ChatHistory, Turn } from '../shared/api.ts'
import type { UserMessage } from './user-message.ts'

const sandagent = fileURLToPath(new URL('dist/main.js', import.meta.resolve('sandagent/package.json')))

/** The chats of the page. Each message of the user is a run, which goes on without this server and keeps the message. */
export interface Chats {
  history(chatId: string): Promise<ChatHistory>
  /** Starts an agent and streams its message. */
  answer(chatId: string, message: UserMessage): Promise<ReadableStream<Uint8Array>>
  /** Streams the message of a running agent from its beginning; `null` without a running agent. */
  resume(chatId: string): Promise<ReadableStream<Uint8Array> | null>
  /** The message of an agent. */
  replay(runId: string): Promise<ReadableStream<Uint8Array>>
  /** Starts the last agent again. It adopts its open question or the answer. */
  restart(chatId: string): Promise<void>
  stop(chatId: string): Promise<void>
}

export function createChats(sandbox: RunSandbox, scenario: string): Chats {
  const runsOf = async (chatId: string): Promise<Run[]> =>
    (await listRuns(sandbox)).filter(({ metadata }) => metadata.chatId === chatId)

  const start = (request: Pick<RunRequest, 'prompt' | 'metadata' | 'runId'>): Promise<Run> =>
    startRun(sandbox, {
      ...request,
      agent: 'scripted',
      args: ['--scenario', scenario],
      runner: [process.execPath, sandagent],
    })

  return {
    async history(chatId) {
      return { turns: (await runsOf(chatId)).map(turnOf) }
    },
    async answer(chatId, { id, text }) {
      const { runId } = await start({ prompt: text, metadata: { chatId, messageId: id } })
      return streamRun(sandbox, runId)
    },
    async resume(chatId) {
      const last = (await runsOf(chatId)).at(-1)
      return last?.state === 'running' ? streamRun(sandbox, last.runId) : null
    },
    replay: (runId) => streamRun(sandbox, runId),
    async restart(chatId) {
      const last = (await runsOf(chatId)).at(-1)
      if (!last) throw new AskError('NOT_FOUND', 'Nothing was asked for in this chat')
      await start({ prompt: last.prompt, metadata: last.metadata, runId: last.runId })
    },
    stop: async (chatId) => stopAll(sandbox, await runsOf(chatId)),
  }
}

/** Stops the running agents. */
export async function stopAll(sandbox: RunSandbox, runs: readonly Run[]): Promise<void> {
  const running = runs.filter(({ state }) => state === 'running')
  await Promise.all(running.map(({ runId }) => stopRun(sandbox, runId)))
}

const turnOf = ({ runId, attempt, prompt, metadata, state, reason }: Run): Turn => ({
  messageId: metadata.messageId ?? runId,
  text: prompt,
  runId,
  attempt,
  state,
  ...(reason !== undefined && { reason }),
})
