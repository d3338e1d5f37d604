import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type {
  Options,
  query,
  SDKMessage,
  SDKResultMessage,
  SDKUserMessage,
} from '@anthropic-ai/claude-agent-sdk'

export interface SessionOptions {
  query: typeof query
  options: Options & { abortController: AbortController }
  /**
   * The user's words; empty for nothing, `null` to end the session.
   *
   * @param isMadeAgain whether the binary makes the call again that deferred the last run
   */
  say(isMadeAgain: () => Promise<boolean>): Promise<string | null>
  onMessage(message: SDKMessage): Promise<void>
  /** What is said between the turns, as long as something is awaited. */
  later?: SaidLater | undefined
}

interface SaidLater {
  readonly isAwaited: boolean
  listen(say: (text: string) => void): void
  idle(end: () => void): void
}

/**
 * Holds a session until its last turn is done. The input stays open until then: without it, the binary denies everything
 * that needs a person.
 *
 * @throws Error of the session.
 */
export async function holdSession({ query, options, say, onMessage, later }: SessionOptions): Promise<void> {
  const input = new PassThrough({ objectMode: true })
  const session = query({ prompt: input, options })
  let failure: unknown
  let isMadeAgain = false

  /** The messages that no turn has read yet. */
  const unread = new Set<string>()
  later?.listen((text) => {
    const uuid = randomUUID()
    if (!input.writable) return
    unread.add(uuid)
    input.write({ ...userMessage(text), uuid })
  })

  const speak = async (): Promise<void> => {
    const text = await say(async () => {
      await session.initializationResult()
      await setImmediate() // The loop below reads earlier messages first.
      return isMadeAgain
    })
    if (text === null) input.end()
    else if (text !== '' && input.writable) input.write(userMessage(text))
  }

  const speaking = speak().catch((error: unknown) => {
    failure ??= error
    options.abortController.abort()
  })
  try {
    for await (const message of session) {
      // Comes before the session is ready if there is a deferred call. The SDK has no type for it.
      if ((message.type as string) === 'command_lifecycle') isMadeAgain = true
      await onMessage(message)
      if (message.type !== 'result') continue
      failure ??= failureIn(message)
      for (const uuid of message.user_message_uuids ?? []) unread.delete(uuid)
      if (message.queued_turn_count || unread.size > 0) continue
      if (later?.isAwaited && failure === undefined) later.idle(() => input.end())
      else input.end()
    }
  } catch (error) {
    failure ??= error
  }
  input.end()
  await speaking
  if (failure !== undefined) throw failure
}

const userMessage = (text: string): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content: text },
  parent_tool_use_id: null,
})

function failureIn(result: SDKResultMessage): Error | undefined {
  if (result.subtype === 'success') return result.is_error ? new Error(withRemedy(result.result)) : undefined
  return new Error(result.errors.join('\n') || `The session ended with ${result.subtype}`)
}

/** The message of Claude Code names a command of its terminal. */
const withRemedy = (complaint: string): string =>
  /\/login|api key|authenticat/i.test(complaint)
    ? `${complaint} (the Claude agent needs ANTHROPIC_API_KEY in its environment, or a login of Claude Code)`
    : complaint
