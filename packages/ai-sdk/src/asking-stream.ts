import { filledText, invalid, parseWith } from '@sandagent/core/internal'
import { errorResponse, LocalSandbox } from '@sandagent/sdk'
import { AISDKError, type UIMessage, validateUIMessages } from 'ai'
import * as v from 'valibot'
import { type Chat, respond } from './chat.ts'
import { chatName, folderMessages, type MessageDatabase } from './folder-messages.ts'
import type { ReplyOptions } from './reply.ts'

/** The options of `streamText`, without `messages` and `prompt`, and these. */
export interface AskingStreamOptions extends ReplyOptions {
  /** Has the questions, the answers and the log of the chat. One for each user, which no program of an agent can write into. */
  folder: string
  /** The chat, as `useChat` names it. */
  chatId: string
  /** Whose chat it is. Another owner's chat with the same id is another chat. */
  owner?: string | undefined
  /**
   * What the page has sent. The last one is the user's and is replied to. The earlier ones are taken from the folder or the
   * database: a page could make up what the model said. Without `messages`, the stream goes on with the reply that is not
   * finished, if there is one.
   */
  messages?: readonly unknown[] | undefined
  /** As the page has sent it: `regenerate-message` replies to the same message again. */
  trigger?: string | undefined
  /** Default: a file in the folder, which `readMessages` reads. */
  database?: MessageDatabase | undefined
}

/**
 * Replies to a page of `useChat` as `streamText` does. The model can ask the user, by the tool `AskUserQuestion`, and the reply
 * goes on without the page. After a restart of the server it goes on where it was cut: when the page is loaded again
 * (`GET …/chat/ID/stream`, `useChat({ resume: true })`), or when it sends the message again.
 *
 * @returns the stream; 204 without `messages` when no reply is to be finished; an error of the request as 400 or 409
 */
export async function askingStream(options: AskingStreamOptions): Promise<Response> {
  const { folder, chatId, owner, messages, trigger, database, ...reply } = options
  try {
    const id = parseWith(nameSchema, chatId, 'INVALID_REQUEST', 'This is no id of a chat')
    const sandbox = new LocalSandbox({ workdir: folder })
    const { load, save } = database ?? folderMessages(sandbox, owner)
    const message = messages && (await newest(messages))
    const chat: Chat = {
      sandbox,
      id,
      owner,
      runId: `chat-${chatName(id, owner)}`,
      load: () => load(id),
      save: (all) => save(id, all),
    }
    return await respond(chat, { message, isAgain: trigger === 'regenerate-message' }, reply)
  } catch (error) {
    return errorResponse(error)
  }
}

/** What pages name: chats and messages. */
const nameSchema = v.pipe(filledText, v.maxLength(200, 'at most 200 characters'))

/** The message that the user has sent now. @throws AskError `INVALID_REQUEST` for anything else */
async function newest(messages: readonly unknown[]): Promise<UIMessage> {
  const message = Array.isArray(messages) ? messages.at(-1) : undefined
  const [valid] = await validateUIMessages({ messages: [message] }).catch((error: unknown) => {
    if (AISDKError.isInstance(error)) return [] // It is no message.
    throw error
  })
  if (valid?.role !== 'user' || !v.is(nameSchema, valid.id))
    throw invalid('INVALID_REQUEST', 'This starts no reply', [
      { path: 'messages', expected: 'a list that ends with a message of the user, as useChat sends it' },
    ])
  return valid
}
