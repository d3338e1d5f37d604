// Why it is so: docs/decisions/0105-a-task-is-a-questions-record.md

import { isDeepStrictEqual } from 'node:util'
import {
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { formatToolResult, MCP_TOOL, type McpToolResult } from '@sandagent/core/dialects/mcp'
import {
  type AskedQuestion,
  isSettled,
  type Outcome,
  type QuestionRecord,
  type RunnerChannel,
} from '@sandagent/core/internal'
import * as v from 'valibot'
import { askUser } from '../ask/ask-user.ts'
import type { CallSettings } from './call.ts'
import { waitingText } from './progress.ts'

/** The extension of MCP 2026 by which a call returns at once, and its client asks how it stands. */
export const TASKS = 'io.modelcontextprotocol/tasks'

/** How often a client shall ask, in milliseconds. */
const POLL_MS = 1000

type Task = TaskFacts & TaskState

interface TaskFacts {
  taskId: string
  createdAt: string
  lastUpdatedAt: string
  /** A question is kept as long as its record is. */
  ttlMs: null
  pollIntervalMs: number
}

type TaskState =
  | { status: 'working'; statusMessage: string }
  /** MCP's own client takes a result only with its type. */
  | { status: 'completed'; result: McpToolResult & { resultType: 'complete' } }
  | { status: 'cancelled' }

/** A question for which this process waits. */
interface Waiting {
  questions: readonly AskedQuestion[]
  /** Resolves once the question can be answered, or has ended. */
  task: Promise<Task>
  withdraw(): void
  ended: Promise<unknown>
}

export interface AskTasks {
  /** Asks, and resolves once a client that asks for the task finds it. */
  begin(toolCallId: string, questions: readonly AskedQuestion[]): Promise<Task>
  /** Lets the clients of a server ask for tasks. */
  serve(server: Server, capabilitiesOf: (ctx: ServerContext) => ClientCapabilities | undefined): void
  /** Waits no longer. The questions stay open: the next server finds them when a client asks for them. */
  close(): Promise<void>
}

const paramsSchema = v.looseObject({ taskId: v.string() })

export function createAskTasks(channel: RunnerChannel, settings: CallSettings): AskTasks {
  const { timeoutMs, timeoutPolicy, clock, runId, place, onWarning } = settings
  const waiting = new Map<string, Waiting>()
  const stop = new AbortController()

  /** A second call with the same id joins the first; other questions under it are a conflict, as everywhere. */
  const ask = (toolCallId: string, questions: readonly AskedQuestion[]): Promise<Task> => {
    const before = waiting.get(toolCallId)
    if (before && isDeepStrictEqual(before.questions, questions)) return before.task
    const withdrawal = new AbortController()
    const request = { toolCallId, toolName: MCP_TOOL.name, questions, takesQuestions: true, runId }
    let noteAsked: (record: QuestionRecord) => void = () => {}
    const asked = new Promise<QuestionRecord>((resolve) => {
      noteAsked = resolve
    })
    const outcome = askUser(channel, request, {
      timeoutMs,
      timeoutPolicy,
      clock,
      onWarning,
      onAsked: noteAsked,
      signal: withdrawal.signal,
      detachSignal: stop.signal,
    })
    const ended = outcome.then(endedTask)
    const opened = asked.then((record) => (isSettled(record) ? ended : workingTask(record, place)))
    const task = Promise.race([opened, ended])
    const entry = { questions, task, withdraw: () => withdrawal.abort(), ended }
    if (before) return task
    waiting.set(toolCallId, entry)
    // Its failure is told to whoever asks for the task next: it is looked for again then.
    const forget = (): void => void waiting.delete(toolCallId)
    ended.then(forget, forget)
    return task
  }

  /** The task as it stands. An earlier server may have begun it. */
  const find = async (taskId: string): Promise<Task> => {
    const there = waiting.get(taskId)
    if (there) return there.task
    const record = await channel.recordOf(taskId)
    // What others ask in the same place is no task of this tool.
    if (record?.toolName !== MCP_TOOL.name || record.kind !== 'question')
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        'There is no such task. Call the tool again to ask again',
      )
    return ask(taskId, record.questions)
  }

  return {
    begin: ask,
    serve(server, capabilitiesOf) {
      const checked = (ctx: ServerContext): void => {
        if (!ctx.mcpReq.envelope)
          throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found')
        if (!takesTasks(capabilitiesOf(ctx)))
          throw new MissingRequiredClientCapabilityError({
            requiredCapabilities: { extensions: { [TASKS]: {} } },
          })
      }
      const handle = (method: string, reply: (taskId: string) => Promise<object>): void =>
        server.setRequestHandler(method, { params: paramsSchema }, async ({ taskId }, ctx) => {
          checked(ctx)
          return { ...(await reply(taskId)) }
        })
      handle('tasks/get', find)
      // A task of ours asks its client nothing. What answers nothing is passed over, as the extension says.
      handle('tasks/update', async (taskId) => {
        await find(taskId)
        return {}
      })
      handle('tasks/cancel', async (taskId) => {
        await find(taskId)
        const there = waiting.get(taskId)
        there?.withdraw()
        await there?.ended
        return {}
      })
    },
    async close() {
      stop.abort()
      await Promise.allSettled([...waiting.values()].map(({ ended }) => ended))
    },
  }
}

/** Whether a client of 2026 declares the extension. */
export const takesTasks = ({ extensions }: ClientCapabilities = {}): boolean =>
  extensions?.[TASKS] !== undefined

const factsOf = (taskId: string, createdAt: string, lastUpdatedAt: string): TaskFacts => ({
  taskId,
  createdAt,
  lastUpdatedAt,
  ttlMs: null,
  pollIntervalMs: POLL_MS,
})

const workingTask = ({ toolCallId, askedAt }: QuestionRecord, place: string | undefined): Task => ({
  ...factsOf(toolCallId, askedAt, askedAt),
  status: 'working',
  statusMessage: waitingText(place),
})

function endedTask(outcome: Outcome): Task {
  const { toolCallId, settledAt, elapsedMs } = outcome
  const askedAt = new Date(Date.parse(settledAt) - elapsedMs).toISOString()
  const facts = factsOf(toolCallId, askedAt, settledAt)
  return outcome.kind === 'aborted'
    ? { ...facts, status: 'cancelled' }
    : { ...facts, status: 'completed', result: { ...formatToolResult(outcome), resultType: 'complete' } }
}
