import { AskError, checkOptions, type OptionNames } from '@sandagent/core/internal'
import type { Client, ClientSession } from 'eve/client'
import type { Agent, AgentRun } from '../../run/agent.ts'
import { loadPackage } from '../../run/load-package.ts'
import { EveTurn } from './turn.ts'

export interface EveAgentOptions {
  /** The address of the agent's server, such as `http://127.0.0.1:2000`. */
  url: string
  /** Headers of each request, such as `authorization`. */
  headers?: Readonly<Record<string, string>> | undefined
  /** The id of the session to go on with: with the prompt, or without one with its open questions. */
  resume?: string | undefined
}

const NAMES: OptionNames<EveAgentOptions> = { url: true, headers: true, resume: true }

/** How long a cancelled turn has to end, in milliseconds. */
const END_MS = 5_000

/**
 * Runs one turn of an agent of eve, which is served elsewhere. Install `eve` too: its client is used. Its questions become
 * questions here, and its tool approvals become approvals.
 *
 * An abort cancels the turn. The agent rejects when eve's client is missing, when the server cannot be reached, and when
 * the turn fails.
 *
 * @throws AskError `INVALID_REQUEST` for unknown options, and if there is nothing to do.
 */
export function createEveAgent(options: EveAgentOptions): Agent {
  checkOptions('createEveAgent', options, NAMES)
  return async (run) => {
    const { Client } = await loadClient()
    const { url, headers, resume } = options
    const client = new Client({ host: url, ...(headers && { headers }) })
    const { session, open } = await openSession(client, run, resume)
    const { sessionId } = session.state
    await run.ui.startStep()
    await run.ui.metadata({ sessionId })
    // Its answers go through a handle of their own: that of the stream remembers how far it was read.
    const turn = new EveTurn(run, client.sessions.attach(sessionId))
    const over = new AbortController()
    let ending: NodeJS.Timeout | undefined
    const stop = (): void => {
      ending = setTimeout(() => over.abort(), END_MS)
      session.cancel().catch(() => over.abort()) // A server that is gone ends no turn.
    }
    run.signal.addEventListener('abort', stop)
    if (run.signal.aborted) stop()
    try {
      for (const request of open) turn.ask(request)
      for await (const event of session.stream({ signal: AbortSignal.any([over.signal, turn.failed]) }))
        if (await turn.take(event)) break
    } catch (error) {
      if (!over.signal.aborted && !turn.failed.aborted) throw error
    } finally {
      run.signal.removeEventListener('abort', stop)
      clearTimeout(ending)
      try {
        await turn.end()
      } finally {
        await run.ui.finishStep()
      }
    }
  }
}

async function openSession(
  client: Client,
  { prompt }: AgentRun,
  resume: string | undefined,
): Promise<{ session: ClientSession; open: unknown[] }> {
  const hasPrompt = prompt.trim() !== ''
  if (resume === undefined) {
    if (hasPrompt) return { session: (await client.sessions.create({ message: prompt })).session, open: [] }
    throw new AskError('INVALID_REQUEST', 'A prompt is missing. Say what the agent is to do')
  }
  const { events, session } = await client.sessions.attach(resume).snapshot()
  const attached = client.sessions.attach(resume, session)
  if (hasPrompt) {
    await attached.send(prompt)
    return { session: attached, open: [] }
  }
  const last = events.findLast(({ type }) => type.startsWith('session.') || type === 'turn.started')
  if (last?.type === 'turn.started') return { session: attached, open: openRequests(events) }
  throw new AskError('INVALID_REQUEST', 'Nothing is open in this session. Give a prompt')
}

type Events = Awaited<ReturnType<ClientSession['snapshot']>>['events']

function openRequests(events: Events): unknown[] {
  const open = new Map<string, unknown>()
  for (const event of events) {
    if (event.type === 'input.requested')
      for (const request of event.data.requests) open.set(request.requestId, request)
    if (event.type === 'input.resolved')
      for (const { requestId } of event.data.resolutions) open.delete(requestId)
  }
  return [...open.values()]
}

async function loadClient(): Promise<typeof import('eve/client')> {
  if (Number(process.versions.node.split('.')[0]) < 24)
    throw new Error(
      `eve needs Node 24 or newer, and this is ${process.version}. Start sandagent with a newer one`,
    )
  return loadPackage(() => import('eve/client'), 'Agents of eve need its client: npm install eve')
}
