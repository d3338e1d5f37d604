import { AskError, isObject, parseWith } from '@sandagent/core/internal'
import * as v from 'valibot'
import type { AgentRun } from '../../run/agent.ts'
import { unaskedWarning } from '../../run/unasked.ts'
import type { AppServer } from './app-server.ts'
import type { CodexAsks } from './asks.ts'
import { type CodexItem, type CodexItems, itemIn } from './items.ts'
import { idsIn } from './questions.ts'
import { answerHeading, leftQuestions } from './unanswered.ts'

export interface CodexAgentOptions {
  /** Default: that of Codex. */
  model?: string | undefined
  /** The thread to go on with. If it has an open question, that is asked again, and the prompt may be empty. */
  resume?: string | undefined
}

/** The metadata of a message: facts about the thread of Codex. */
export interface CodexFacts {
  /** For `resume`. */
  sessionId: string
}

export interface CodexThreadOptions {
  run: AgentRun
  server: AppServer
  asks: CodexAsks
  items: CodexItems
  signal: AbortSignal
}

const threadSchema = v.object({
  thread: v.object({ id: v.string(), path: v.nullish(v.string()) }),
})
const turnSchema = v.object({
  turn: v.object({
    id: v.string(),
    status: v.string(),
    error: v.nullish(v.object({ message: v.string(), additionalDetails: v.nullish(v.string()) })),
  }),
})
type Turn = v.InferOutput<typeof turnSchema>['turn']

/** One conversation with Codex: its turns, until nothing is left to tell. */
export class CodexThread {
  readonly #options: CodexThreadOptions
  #id = ''
  #turnId = ''
  #onTurnEnd: (turn: Turn) => void = () => {}
  /** What could not be told in a turn. */
  readonly #untold: string[] = []
  /** Answers to questions for which no turn waits. */
  readonly #later = new Set<Promise<string>>()

  constructor(options: CodexThreadOptions) {
    this.#options = options
  }

  get id(): string {
    return this.#id
  }

  /** Begins or resumes the thread, and resolves when its work is done. */
  async hold(prompt: string, { model, resume }: CodexAgentOptions): Promise<void> {
    const { run, server, asks } = this.#options
    await server.request('initialize', {
      clientInfo: { name: 'sandagent', title: null, version: '1' },
      capabilities: { experimentalApi: true, requestAttestation: false },
    })
    server.notify('initialized')
    const settings = { cwd: run.workdir, ...(model !== undefined && { model }) }
    const begun = await (resume === undefined
      ? server.request('thread/start', settings)
      : server.request('thread/resume', { ...settings, threadId: resume, excludeTurns: true }))
    const { thread } = parseWith(threadSchema, begun, 'UNREACHABLE', UNKNOWN)
    this.#id = thread.id
    await run.ui.metadata({ sessionId: thread.id } satisfies CodexFacts)

    const left = resume !== undefined && thread.path ? await leftQuestions(thread.path) : []
    if (prompt.trim() === '' && left.length === 0)
      throw new AskError(
        'INVALID_REQUEST',
        'A prompt is missing, and no question is open to go on with. Say behind -- what the agent is to do',
      )
    for (const { turnId, params, blocking } of left) {
      const item = blocking ? null : itemIn({ item: params })
      if (item) this.#askLater(turnId, item)
    }
    const awaited = left.filter(({ blocking }) => blocking)
    const answers = await Promise.all(awaited.map((question) => asks.left(question)))
    let texts = [...(answers.length > 0 ? [BROKEN_OFF, ...answers] : []), prompt]
    while (!this.#options.signal.aborted) {
      const text = texts.filter((text) => text.trim() !== '').join('\n\n')
      if (text !== '') await this.#turn(text)
      if (this.#untold.length === 0 && this.#later.size > 0) await Promise.race(this.#later)
      texts = this.#untold.splice(0)
      if (texts.length === 0) return
    }
  }

  async #turn(text: string): Promise<void> {
    const ended = new Promise<Turn>((resolve) => {
      this.#onTurnEnd = resolve
    })
    const started = await this.#options.server.request('turn/start', {
      threadId: this.#id,
      input: [textInput(text)],
    })
    this.#turnId = parseWith(turnSchema, started, 'UNREACHABLE', UNKNOWN).turn.id
    const { status, error } = await ended
    this.#turnId = ''
    if (status === 'failed') throw new Error(withRemedy(reasonIn(error)))
  }

  /**
   * Tells a model something while its turn goes on; else with the next turn.
   *
   * @param params of the request that it is about: a subagent has a thread of its own
   */
  async tell(text: string, params: unknown): Promise<void> {
    const { threadId = this.#id, turnId } = idsIn(params)
    const isOwn = threadId === this.#id
    const turn = { threadId, expectedTurnId: isOwn ? this.#turnId : turnId }
    try {
      await this.#options.server.request('turn/steer', { ...turn, input: [textInput(text)] })
    } catch {
      // The turn is over, or takes no more. That of a subagent has no next one.
      if (isOwn) this.#untold.push(text)
      else
        this.#options.run.onWarning?.({
          code: 'UNREACHABLE',
          message: `A subagent of Codex could not be told: ${text}`,
        })
    }
  }

  /** Deals with a notification. */
  async take(method: string, params: unknown): Promise<void> {
    const { items, asks } = this.#options
    const { threadId, turnId = '' } = idsIn(params)
    if (method === 'serverRequest/resolved') return asks.withdraw(isObject(params) && params.requestId)
    const item = itemIn(params)
    if (item && method === 'item/started') asks.note(item)
    // What subagents say stays with them.
    if (threadId !== this.#id) return
    switch (method) {
      case 'item/started':
        return item ? items.started(`${turnId}-${item.id}`, item) : undefined
      case 'item/completed':
        return item ? this.#completed(turnId, item) : undefined
      case 'item/agentMessage/delta':
        return items.delta('text', params)
      case 'item/reasoning/summaryTextDelta':
        return items.delta('reasoning', params)
      case 'turn/completed': {
        const parsed = v.safeParse(turnSchema, params)
        const failed = { id: turnId, status: 'failed', error: { message: UNKNOWN } }
        this.#onTurnEnd(parsed.success ? parsed.output.turn : failed)
      }
    }
  }

  async #completed(turnId: string, item: CodexItem): Promise<void> {
    if (item.questions?.length) this.#askLater(turnId, item)
    else await this.#options.items.completed(`${turnId}-${item.id}`, item)
  }

  /** Asks what the model does not wait for. */
  #askLater(turnId: string, item: CodexItem): void {
    const { asks, run } = this.#options
    const answer = asks
      .message(turnId, item)
      .catch((error: Error) => {
        run.onWarning?.(unaskedWarning(error))
        return `The user could not be asked. ${error.message}`
      })
      .then((text) => {
        this.#later.delete(answer)
        this.#untold.push(`${answerHeading(turnId, item.id)}\n${text}`)
        return text
      })
    this.#later.add(answer)
  }
}

const UNKNOWN = 'Codex answers otherwise than its version 0.171. Install that version'

const BROKEN_OFF = 'The session broke off while you waited for the user; nothing was rejected.'

const textInput = (text: string) => ({ type: 'text', text, text_elements: [] })

const reasonIn = (error: Turn['error']): string =>
  [error?.message, error?.additionalDetails].filter(Boolean).join(': ') || 'The turn of Codex failed'

/** Codex says what happened, and not what to do here. */
const withRemedy = (complaint: string): string =>
  /\b401\b|unauthorized|log ?in|api key|authenticat/i.test(complaint)
    ? `${complaint} (Codex needs a login: codex login)`
    : complaint
