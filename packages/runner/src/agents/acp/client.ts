import type { ClientApp } from '@agentclientprotocol/sdk'
import { AskError, createMutex } from '@sandagent/core/internal'
import type { AgentRun } from '../../run/agent.ts'
import { faultIn, unaskedWarning } from '../../run/unasked.ts'
import { AcpCalls } from './calls.ts'
import { AcpMessages } from './messages.ts'
import { AcpQuestions, type InOrder } from './questions.ts'

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
  const mutex = createMutex()
  const inOrder: InOrder = (work) => mutex('', work)
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
      run.onWarning?.(unaskedWarning(error))
      const fault = faultIn(error)
      throw fault instanceof AskError ? sdk.RequestError.invalidParams(undefined, fault.message) : error
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
