import type { ClientContext, InitializeResponse, NewSessionRequest } from '@agentclientprotocol/sdk'
import { AskError, inTime, systemClock } from '@sandagent/core/internal'

/** How long a program may take until it answers at all, in milliseconds: `npx` may have to fetch it first. */
const START_MS = 180_000

/** The version of ACP that is spoken here. */
const VERSION = 1

/**
 * Begins a session, or goes on with one.
 *
 * @returns its id
 * @throws AskError `INVALID_REQUEST` for an agent that cannot go on with a session.
 */
export async function openSession(
  agent: ClientContext,
  { cwd, resume }: { cwd: string; resume: string | undefined },
): Promise<string> {
  const { agentCapabilities = {}, authMethods = [] } = await initialize(agent)
  const place: NewSessionRequest = { cwd, mcpServers: [] }
  try {
    if (resume === undefined) return (await agent.request('session/new', place)).sessionId
    const { loadSession, sessionCapabilities } = agentCapabilities
    if (!sessionCapabilities?.resume && !loadSession)
      throw new AskError('INVALID_REQUEST', 'This agent cannot go on with a session. Leave the session out')
    const method = sessionCapabilities?.resume ? 'session/resume' : 'session/load'
    await agent.request(method, { ...place, sessionId: resume })
    return resume
  } catch (error) {
    throw isSignInMissing(error) ? signInMissing(authMethods, error) : error
  }
}

async function initialize(agent: ClientContext): Promise<InitializeResponse> {
  const started = agent.request('initialize', {
    protocolVersion: VERSION,
    clientInfo: { name: 'sandagent', version: '1' },
    // It is in the sandbox already: it reads, writes and runs what it needs itself.
    clientCapabilities: { elicitation: { form: {}, url: {} } },
  })
  const why = `The program did not answer within ${START_MS / 1000} seconds. Start it in its ACP mode, such as gemini --acp`
  const answer = await inTime(started, { clock: systemClock, ms: START_MS, late: () => new Error(why) })
  if (answer.protocolVersion !== VERSION)
    throw new Error(
      `The agent speaks version ${answer.protocolVersion} of ACP, and version ${VERSION} is needed. Install another version of it`,
    )
  return answer
}

/** Authentication required, by the error codes of ACP. */
const isSignInMissing = (error: unknown): boolean => (error as { code?: unknown }).code === -32000

const signInMissing = (methods: readonly { name: string }[], cause: unknown): Error =>
  new Error(
    `The agent is not signed in. Start it once without sandagent and sign in, or set its key in the environment${
      methods.length > 0 ? `. It takes: ${methods.map(({ name }) => name).join(', ')}` : ''
    }`,
    { cause },
  )
