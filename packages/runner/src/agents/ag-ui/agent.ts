import type { AbstractAgent, Interrupt, ResumeEntry } from '@ag-ui/client'
import { parseInterrupt } from '@sandagent/core/dialects/ag-ui'
import { AskError, checkOptions, invalid, type OptionNames } from '@sandagent/core/internal'
import type { Agent, AgentRun } from '../../run/agent.ts'
import { loadPackage } from '../../run/load-package.ts'
import { UnusedIds } from '../../run/unused-ids.ts'
import { askInterrupt } from './ask-interrupt.ts'
import { createPauseMemory, type Pause } from './memory.ts'
import { idOf, ShownCalls } from './shown-calls.ts'

export interface AgUiAgentOptions {
  /** Where the agent is: it takes a `RunAgentInput` by POST. */
  url?: string | undefined
  /** With `url`: what each request carries, such as `authorization`. */
  headers?: Readonly<Record<string, string>> | undefined
  /** In place of `url`: an agent of `@ag-ui/client`, for one run at a time. */
  agent?: AbstractAgent | undefined
  /** Where the runner keeps its questions, see `createFileRunnerChannel`. Default `.sandagent`. */
  stateFolder?: string | undefined
}

const NAMES: OptionNames<AgUiAgentOptions> = { url: true, headers: true, agent: true, stateFolder: true }

/**
 * Runs an agent that speaks AG-UI 1.0. Install `@ag-ui/client` too. Its interrupts become questions and approvals, side by
 * side, until their `expiresAt`. The thread has the id of the run. A run that is started again goes on with the interrupts that
 * it waits for; the same `resume` may be sent twice then, as the protocol allows.
 *
 * The agent rejects when the other one fails, and for more than 100 interrupts at once.
 *
 * @throws AskError `INVALID_REQUEST` for unknown options, and unless there is either `url` or `agent`
 */
export function createAgUiAgent(options: AgUiAgentOptions): Agent {
  checkOptions('createAgUiAgent', options, NAMES)
  const { url, agent: given, stateFolder } = options
  if ((url === undefined) === (given === undefined))
    throw invalid('INVALID_REQUEST', 'createAgUiAgent', [
      { path: 'url', expected: 'the address of an agent, or `agent` in its place' },
    ])
  return async (run) => {
    const agent = given ?? (await httpAgent(options))
    const memory = createPauseMemory(run, stateFolder)
    const calls = new ShownCalls(run.ui)
    const abort = (): void => agent.abortRun()
    run.signal.addEventListener('abort', abort)
    try {
      await run.ui.startStep()
      let pause = await memory.load()
      // An abort before the first request would stop nothing.
      if (run.signal.aborted) return
      if (pause) goOn(agent, run, pause)
      else {
        begin(agent, run)
        pause = await request(agent, run, { calls, round: 0 })
      }
      while (pause && !run.signal.aborted) {
        await memory.save(pause)
        const resume = await answersTo(run, calls, pause)
        if (run.signal.aborted) return
        pause = await request(agent, run, { calls, round: pause.round + 1, resume })
      }
      if (!run.signal.aborted) await memory.forget()
    } catch (error) {
      if (!run.signal.aborted) throw error
    } finally {
      run.signal.removeEventListener('abort', abort)
      await calls.writer.endAll()
      await run.ui.finishStep()
    }
  }
}

function begin(agent: AbstractAgent, { runId, prompt }: AgentRun): void {
  agent.threadId = runId
  agent.setMessages([{ id: `${runId}-prompt`, role: 'user', content: prompt }])
  agent.pendingInterrupts = []
}

function goOn(agent: AbstractAgent, { runId }: AgentRun, { messages, state, asks }: Pause): void {
  agent.threadId = runId
  agent.setMessages(messages)
  agent.setState(state as AbstractAgent['state'])
  agent.pendingInterrupts = asks.map(({ interrupt }) => interrupt)
}

/** How many interrupts one run may end with. A person is asked each of them. */
const MOST_INTERRUPTS = 100

interface Round {
  calls: ShownCalls
  round: number
  resume?: ResumeEntry[]
}

/** Sends a request and shows what comes of it, until the agent is done (`null`) or waits. */
async function request(
  agent: AbstractAgent,
  run: AgentRun,
  { calls, round, resume }: Round,
): Promise<Pause | null> {
  const ended: { interrupts?: Interrupt[]; error?: Error } = {}
  await agent.runAgent(
    { runId: prefixOf(run, round), ...(resume && { resume }) },
    {
      ...calls.subscriber(prefixOf(run, round)),
      onRunFinishedEvent(finished) {
        if (finished.outcome === 'interrupt') ended.interrupts = finished.interrupts
      },
      onRunErrorEvent({ event: { message } }) {
        ended.error = new Error(`The agent failed: ${message}`)
      },
    },
  )
  if (ended.error) throw ended.error
  const { interrupts } = ended
  if (!interrupts) return null
  refuseTooMany(interrupts)
  const { messages, state } = agent
  return { round, asks: await named(interrupts, { run, calls, round, messages }), messages, state }
}

function refuseTooMany(interrupts: readonly Interrupt[]): void {
  const { length } = interrupts
  if (length > MOST_INTERRUPTS)
    throw new AskError(
      'TOO_LARGE',
      `The agent asks ${length} things at once. At most ${MOST_INTERRUPTS} can be asked: let it ask less`,
    )
  if (new Set(interrupts.map(({ id }) => id)).size < length)
    throw new AskError(
      'INVALID_QUESTIONS',
      'The agent gave the same id to two interrupts. Each needs its own',
    )
}

/**
 * Gives ids to the questions. An approval has that of its call, where this request showed it: an earlier one may have been
 * about the same call.
 */
async function named(
  interrupts: readonly Interrupt[],
  { run, calls, round, messages }: Pick<Pause, 'round' | 'messages'> & { run: AgentRun; calls: ShownCalls },
): Promise<Pause['asks']> {
  const prefix = prefixOf(run, round)
  const asks: Pause['asks'] = []
  for (const interrupt of interrupts) {
    const call = await calls.find(interrupt.toolCallId, prefix, messages)
    const isOfCall =
      call?.id.startsWith(`${prefix}-`) &&
      parseInterrupt(interrupt, call).kind === 'approval' &&
      asks.every(({ toolCallId }) => toolCallId !== call.id)
    const toolCallId = call && isOfCall ? call.id : idOf(`${prefix}-ask`, interrupt.id)
    asks.push({ interrupt, toolCallId })
  }
  return asks
}

/** Asks all interrupts of a pause at once. */
async function answersTo(
  run: AgentRun,
  calls: ShownCalls,
  { asks, round, messages }: Pause,
): Promise<ResumeEntry[]> {
  const ids = new UnusedIds()
  for (const { toolCallId } of asks) ids.for(toolCallId)
  const asked = asks.map(async ({ interrupt, toolCallId }) => {
    const call = await calls.find(interrupt.toolCallId, prefixOf(run, round), messages)
    return askInterrupt(run, { interrupt, toolCallId, call, calls, ids })
  })
  return Promise.all(asked)
}

/** How the ids begin that a request to the agent brings. */
const prefixOf = ({ runId }: AgentRun, round: number): string => `${runId}-${round}`

async function httpAgent({ url, headers }: AgUiAgentOptions): Promise<AbstractAgent> {
  const { HttpAgent } = await loadClient()
  return new HttpAgent({ url: url as string, headers: { ...headers } })
}

const loadClient = () =>
  loadPackage(() => import('@ag-ui/client'), 'Agents of AG-UI need its client: npm install @ag-ui/client')
