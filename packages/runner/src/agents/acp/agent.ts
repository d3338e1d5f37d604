import { Readable, Writable } from 'node:stream'
import type { PromptResponse, RequestError } from '@agentclientprotocol/sdk'
import { AskError, checkOptions, type OptionNames } from '@sandagent/core/internal'
import type { Agent } from '../../run/agent.ts'
import { endOutput } from '../../run/end-output.ts'
import { loadPackage } from '../../run/load-package.ts'
import { whyNotStarted } from '../../run/why-not-started.ts'
import { createAcpClient } from './client.ts'
import { openSession } from './session.ts'

export interface AcpAgentOptions {
  /** The program. It speaks ACP on its standard input and output. */
  command: string
  args?: readonly string[] | undefined
  /** The id of the session to go on with, for agents that can. */
  resume?: string | undefined
}

const NAMES: OptionNames<AcpAgentOptions> = { command: true, args: 'list', resume: true }

/** How long an agent has to end its turn, and then itself, before it is killed, in milliseconds. */
const END_MS = 5_000

/**
 * Runs an agent of the Agent Client Protocol, in the workdir and without a shell. Install `@agentclientprotocol/sdk` too. Its
 * permissions become approvals, and its elicitations questions. It is offered no files and no terminals: it is in the sandbox
 * already, and works there itself. Its standard error passes through.
 *
 * An abort cancels its turn. The agent rejects when the SDK or the program is missing, when the program ends before its work
 * is done, and when its turn ends early.
 *
 * @throws AskError `INVALID_REQUEST` for unknown options.
 */
export function createAcpAgent(options: AcpAgentOptions): Agent {
  checkOptions('createAcpAgent', options, NAMES)
  return async (run) => {
    if (run.prompt.trim() === '')
      throw new AskError('INVALID_REQUEST', 'A prompt is missing. Say what the agent is to do')
    const [sdk, { execa }] = await Promise.all([loadSdk(), import('execa')])
    const client = createAcpClient(sdk, run)
    await run.ui.startStep()
    // Nothing is awaited from here to the reading: execa discards what comes before somebody reads.
    const over = new AbortController()
    const { command, args = [], resume } = options
    const program = execa(command, args, {
      cwd: run.workdir,
      stderr: 'inherit',
      cancelSignal: over.signal,
      buffer: false,
      reject: false,
    })
    endOutput(program)
    const connection = client.app.connect(
      sdk.ndJsonStream(Writable.toWeb(program.stdin), Readable.toWeb(program.stdout) as ReadableStream),
    )
    let killing: NodeJS.Timeout | undefined
    const killSoon = (): void => {
      killing ??= setTimeout(() => over.abort(), END_MS)
    }
    let sessionId: string | undefined
    const stop = (): void => {
      if (sessionId === undefined) over.abort()
      // Where it fails, the program is gone.
      else connection.agent.notify('session/cancel', { sessionId }).catch(killSoon)
      killSoon()
    }
    run.signal.addEventListener('abort', stop)
    if (run.signal.aborted) stop()

    try {
      sessionId = await openSession(connection.agent, { cwd: run.workdir, resume })
      await run.ui.metadata({ sessionId })
      client.begin()
      const { stopReason } = await connection.agent.request('session/prompt', {
        sessionId,
        prompt: [{ type: 'text', text: run.prompt }],
      })
      const why = ENDED_EARLY[stopReason]
      if (why !== undefined && !run.signal.aborted) throw new Error(why)
    } catch (error) {
      if (run.signal.aborted) return
      if (!connection.signal.aborted) throw error instanceof sdk.RequestError ? refusal(error) : error
      killSoon()
      const { failed, code, cause, shortMessage } = await program
      if (code === 'ENOENT' || code === 'EACCES') throw whyNotStarted(command, run.workdir, { code, cause })
      const what = failed ? shortMessage : `${command} has ended`
      throw new Error(`${what}, before its turn was over. ${HINT}`, { cause: error })
    } finally {
      run.signal.removeEventListener('abort', stop)
      connection.close()
      program.stdin.end()
      killSoon()
      await program
      clearTimeout(killing)
      try {
        await client.end()
      } finally {
        await run.ui.finishStep()
      }
    }
  }
}

const HINT = 'Its own words are above. An agent must be started in its ACP mode, such as gemini --acp'

/** Why a turn ended before the agent had finished. */
const ENDED_EARLY: Partial<Record<PromptResponse['stopReason'], string>> = {
  max_tokens: 'The model wrote as much as it may in one turn. Go on with the same session',
  max_turn_requests: 'The agent asked its model as often as it may in one turn. Go on with the same session',
  refusal: 'The model refused to go on. Ask for something else, in a new session',
}

function refusal(error: RequestError): Error {
  const { details } = Object(error.data)
  const more = typeof details === 'string' ? `: ${details}` : ''
  return new Error(`The agent cannot go on: ${error.message}${more}`, { cause: error })
}

const loadSdk = () =>
  loadPackage(
    () => import('@agentclientprotocol/sdk'),
    'Agents of ACP need its SDK: npm install @agentclientprotocol/sdk',
  )
