import type { ClientApp } from '@agentclientprotocol/sdk'
import { AskError } from '@sandagent/core/internal'
import type { AgentRun } from '../../run/agent.ts'
import { AcpCalls } from './calls.ts'
import { AcpMessages } from './messages.ts'
import { AcpQuestions } from './questions.ts'

export type AcpSdk = typeof import('@agentclientprotocol/sdk')

/** What answers an agent, and shows what it says. */
export interface AcpClient {
  app: ClientApp
  /** From now on, updates are shown. Those before tell of what a session had shown already. */
  begin(): void
  /** Resolves when all is shown, and no question waits any more. Close the connection before. */
  end(): Promise<void>
}

export function createAcpClient(sdk: AcpSdk, run: AgentRun): AcpClient {
  const inOrder = createLine()
  const calls = new AcpCalls(run.ui, run.runId)
  const messages = new AcpMessages(run.ui, calls)
  const questions = new AcpQuestions(run, calls, inOrder)
  const waiting = new Set<Promise<unknown>>()
  let isBegun = false
  let failure: { error: unknown } | undefined

  const answer = async <T>(asked: Promise<T>): Promise<T> => {
    waiting.add(asked)
    try {
      return await asked
    } catch (error) {
      // The code of an elicitation that cannot be shown is that of JSON-RPC.
      const fault = error instanceof Error && error.cause instanceof AskError ? error.cause : error
      if (!(fault instanceof AskError)) throw error
      run.onWarning?.({ code: fault.code, message: `The agent was refused a question: ${fault.message}` })
      throw sdk.RequestError.invalidParams(undefined, fault.message)
    } finally {
      waiting.delete(asked)
    }
  }

  const app = sdk
    .client({ name: 'sandagent' })
    // The first to be registered is the first to be asked. So an update is taken before a question that came behind it.
    .onNotification('session/update', ({ params }) => {
      if (isBegun) inOrder(() => messages.take(params.update)).catch((error) => (failure ??= { error }))
    })
    .onRequest('session/request_permission', ({ params, signal }) =>
      answer(questions.permission(params, signal)),
    )
    .onRequest('elicitation/create', ({ params, signal }) => answer(questions.elicitation(params, signal)))

  return {
    app,
    begin() {
      isBegun = true
    },
    async end() {
      await Promise.allSettled(waiting)
      await inOrder(async () => {
        await messages.end()
        await calls.endAll()
      })
      if (failure) throw failure.error
    },
  }
}

/** Does work one after another, in the order in which it is given. */
function createLine() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}
