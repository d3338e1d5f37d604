import type { ClientSession } from 'eve/client'
import type { AgentRun } from '../../run/agent.ts'
import { CallWriter } from '../../run/call-writer.ts'
import { TextWriter } from '../../run/text-writer.ts'
import { EveQuestions } from './questions.ts'

type Event = ReturnType<ClientSession['stream']> extends AsyncIterable<infer E> ? E : never

/** Shows what happens in a turn, and asks what it asks. */
export class EveTurn {
  readonly #texts: TextWriter
  readonly #calls: CallWriter
  readonly #questions: EveQuestions
  readonly #idOf: (callId: string) => string
  readonly #signal: AbortSignal
  #failure: Error | undefined

  constructor(run: AgentRun, session: ClientSession) {
    this.#texts = new TextWriter(run.ui)
    this.#calls = new CallWriter(run.ui)
    this.#signal = run.signal
    this.#idOf = (callId) => `${run.runId}-${callId}`
    this.#questions = new EveQuestions(run, session, this.#calls)
  }

  /** Aborted when a question could not be asked, or its answer not be sent. */
  get failed(): AbortSignal {
    return this.#questions.failed
  }

  ask(request: unknown): void {
    this.#questions.ask(request)
  }

  /** @returns whether the turn is over */
  async take(event: Event): Promise<boolean> {
    if (event.type === 'message.appended') await this.#texts.add('text', event.data.messageDelta)
    else if (event.type === 'reasoning.appended')
      await this.#texts.add('reasoning', event.data.reasoningDelta)
    else {
      // A reply that did not come in pieces.
      if (event.type === 'message.completed' && !this.#texts.isOpen('text'))
        await this.#texts.add('text', event.data.message ?? '')
      await this.#texts.end()
      await this.#show(event)
    }
    return ENDS.includes(event.type)
  }

  async #show(event: Event): Promise<void> {
    switch (event.type) {
      case 'actions.requested':
        for (const action of event.data.actions) {
          // The question itself is shown.
          if (action.kind !== 'tool-call' || action.toolName === 'ask_question') continue
          const { callId, toolName, input } = action
          await this.#calls.show({ toolCallId: this.#idOf(callId), toolName, input })
        }
        break
      case 'action.result': {
        const { status, error, result } = event.data
        const failure = { errorText: error?.message ?? `The call ${status}` }
        const ended = status === 'completed' ? { output: result.output ?? '' } : failure
        await this.#calls.end(this.#idOf(result.callId), ended)
        break
      }
      case 'input.requested':
        for (const request of event.data.requests) this.#questions.ask(request)
        break
      case 'input.resolved':
        for (const { requestId } of event.data.resolutions) this.#questions.withdraw(requestId)
        break
      case 'authorization.required': {
        const { name, description, authorization } = event.data
        const where = [authorization?.url, authorization?.userCode].filter(Boolean).join(', code ')
        await this.#texts.add('text', `Sign in to ${name}: ${where || description}`)
        await this.#texts.end()
        break
      }
      case 'turn.failed':
      case 'session.failed':
        this.#failure ??= new Error(event.data.message)
    }
  }

  /** @throws Error of the turn, or of a question, unless the run was stopped. */
  async end(): Promise<void> {
    await this.#questions.end()
    await this.#texts.end()
    await this.#calls.endAll()
    if (this.#failure && !this.#signal.aborted) throw this.#failure
  }
}

/** The events after which nothing of the turn follows. */
const ENDS: readonly Event['type'][] = ['session.waiting', 'session.failed', 'session.completed']
