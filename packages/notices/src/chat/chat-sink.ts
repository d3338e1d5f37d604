import { AskError, checkOptions, type OptionNames, parseWith } from '@sandagent/core/internal'
import { logError } from '@sandagent/sdk/internal'
import type { Adapter, Chat } from 'chat'
import * as v from 'valibot'
import type { NoticeSink } from '../notice.ts'
import { endedMessage, headline, messageOf } from './chat-message.ts'
import { type TakeAnswersOptions, takeAnswers } from './take-answers.ts'

export interface ChatSinkOptions extends Omit<TakeAnswersOptions, 'chat'> {
  /** The `Chat` of the host. Serve its `webhooks`: they bring what people click. */
  chat: TakeAnswersOptions['chat'] & Pick<Chat, 'initialize' | 'getAdapter' | 'channel'>
}

const NAMES: OptionNames<ChatSinkOptions> = { chat: true, inbox: true, authorize: 'function' }

const WHAT = 'This does not say where a message of a chat is'

const sentSchema = v.object({
  adapter: v.string(),
  thread: v.string(),
  message: v.string(),
  headline: v.string(),
})

/**
 * Sends notices by the adapters of `chat`, and takes the answers. The address of a person is `ADAPTER:USER`, such as
 * `telegram:42`; that of a channel is `#` and its id of `chat`, such as `#slack:C012AB3CD`. A message has buttons if the words
 * of the question may leave this machine, and the platform shows them whole. It is edited when the question has ended. Make one
 * sink for a `Chat`: it starts the `Chat`.
 *
 * @throws AskError `INVALID_REQUEST` for options that do not exist
 */
export function createChatSink(options: ChatSinkOptions): NoticeSink {
  checkOptions('createChatSink', options, NAMES)
  const { chat } = options
  takeAnswers(options)
  // Adapters that ask their platform for clicks begin with it. Each message tries again.
  chat.initialize().catch(logError)
  const adapterOf = async (name: string): Promise<Adapter> => {
    await chat.initialize()
    // Undefined for an unknown name, whatever its type says.
    const adapter: Adapter | undefined = chat.getAdapter(name)
    if (adapter) return adapter
    throw new AskError('INVALID_REQUEST', `The Chat has no adapter ${name}. Add it, or correct the address`)
  }
  return {
    async send(notice) {
      const { name, address = '' } = notice.person
      const [, hash, adapterName = '', user = ''] = /^(#?)([^:]+):(.+)$/s.exec(address) ?? []
      if (user === '')
        throw new AskError(
          'INVALID_REQUEST',
          `${name} has no address such as telegram:42. Add it in the settings`,
        )
      try {
        const adapter = await adapterOf(adapterName)
        const place = hash ? address.slice(1) : await adapter.openDM?.(user)
        if (place === undefined)
          throw new AskError(
            'INVALID_REQUEST',
            `${adapterName} cannot write to one person. Give ${name} a channel`,
          )
        const { link, ...rest } = notice
        // Everybody in a channel could answer by the link, with the name of this person.
        const isPrivate = !hash && adapter.isDM?.(place) === true
        const card = messageOf({ ...rest, adapter: adapter.name, ...(isPrivate && { link }) })
        const { id, threadId } = hash
          ? await chat.channel(place).post(card)
          : await adapter.postMessage(place, card)
        return {
          adapter: adapterName,
          thread: threadId,
          message: id,
          headline: headline({ ...notice, adapter: adapter.name }),
        }
      } catch (error) {
        throw failureOf(error)
      }
    },
    async settle(_, sent, ending) {
      const { adapter: name, thread, message, headline } = parseWith(sentSchema, sent, 'INVALID_FILE', WHAT)
      try {
        const adapter = await adapterOf(name)
        await adapter.editMessage(thread, message, endedMessage(headline, ending, adapter.name))
      } catch (error) {
        throw failureOf(error)
      }
    },
  }
}

/** The names of errors by which adapters refuse for good. What else they throw may pass. */
const LASTING = ['AuthenticationError', 'PermissionError', 'ValidationError', 'ResourceNotFoundError']

function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AskError) return error
  const text = `The chat refuses: ${error.message}`
  if (error.name === 'AdapterRateLimitError') {
    const seconds = 'retryAfter' in error ? Number(error.retryAfter) : 0
    return new AskError('RATE_LIMITED', text, {
      facts: { retryAfterMs: (seconds || 0) * 1000 },
      cause: error,
    })
  }
  return LASTING.includes(error.name) ? new AskError('FORBIDDEN', text, { cause: error }) : error
}
