import { createFileHostChannel } from '@sandagent/files'
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
import type { ChatHistory, ChatSummary, Overview, Turn } from '../../shared/api.ts'
import type { DemoAgent } from '../agents.ts'
import type { DemoSandbox } from '../choose-sandbox.ts'
import type { UserMessage } from './user-message.ts'

/** The chats of the page. Each message of the user is a run, which goes on without this server and keeps the message. */
export interface Chats {
  overview(): Promise<Overview>
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

export function createChats({ sandbox, runner }: DemoSandbox, agent: DemoAgent): Chats {
  const questions = createFileHostChannel({ files: sandbox.files, stateFolder: sandbox.stateFolder })
  const runsOf = async (chatId: string): Promise<Run[]> =>
    (await listRuns(sandbox)).filter(({ metadata }) => metadata.chatId === chatId)
  const start = (request: RunRequest): Promise<Run> => startRun(sandbox, { ...request, runner })

  return {
    async overview() {
      const [runs, records] = await Promise.all([listRuns(sandbox), questions.questions()])
      const summaryOf = (chatId: string): ChatSummary => {
        const own = runs.filter(({ metadata }) => metadata.chatId === chatId)
        const ids = own.map(({ runId }) => runId)
        const asked = records.filter(({ runId }) => ids.includes(runId))
        return {
          chatId,
          title: own[0]?.prompt ?? '',
          isRunning: own.some(({ state }) => state === 'running'),
          waiting: asked.filter(({ state }) => state === 'open').length,
          asked: asked.map(({ toolCallId }) => toolCallId),
        }
      }
      const chatIds = new Set(runs.flatMap(({ metadata }) => metadata.chatId || []))
      return { agent: agent.name, chats: [...chatIds].map(summaryOf).reverse() }
    },
    async history(chatId) {
      return { turns: (await runsOf(chatId)).map(turnOf) }
    },
    async answer(chatId, { id, text }) {
      const request = await agent.answer(text, await runsOf(chatId))
      const { runId } = await start({ ...request, metadata: { chatId, messageId: id } })
      return streamRun(sandbox, runId)
    },
    async resume(chatId) {
      const last = (await runsOf(chatId)).at(-1)
      return last?.state === 'running' ? streamRun(sandbox, last.runId) : null
    },
    replay: (runId) => streamRun(sandbox, runId),
    async restart(chatId) {
      const runs = await runsOf(chatId)
      const last = runs.at(-1)
      if (!last) throw new AskError('NOT_FOUND', 'Nothing was asked for in this chat')
      const request = await agent.restart(last, runs)
      await start({ ...request, metadata: request.runId === last.runId ? last.metadata : { chatId } })
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
