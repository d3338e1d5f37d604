import { filledText, invalid, parseWith } from '@sandagent/core/internal'
import * as v from 'valibot'
import { readJson } from '../http/read-json-body.ts'

/** What a page sends to begin a run: a prompt, or the messages of `useChat`. */
export interface ChatRequest {
  prompt: string
  /** The chat's id, as `useChat` names it. */
  chat?: string | undefined
}

/** What an agent in this process replies to: see `askingStream` of `@sandagent/ai-sdk`. */
export interface AgentChat {
  /** The folder of the request's user. */
  folder: string
  chatId: string
  /** Who sends the request, if the host knows it. */
  owner?: string | undefined
  /** As `useChat` sends them. Absent when a page that was loaded again goes on with the reply. */
  messages?: readonly unknown[] | undefined
  /** As `useChat` sends it. */
  trigger?: string | undefined
}

/** Pages of `useChat` send the whole chat each time, with what tools printed. */
const MAX_CHAT_BYTES = 4 * 1024 * 1024

const schema = v.object({
  id: v.exactOptional(filledText),
  prompt: v.exactOptional(v.string()),
  messages: v.exactOptional(
    v.array(v.object({ parts: v.array(v.object({ type: v.string(), text: v.exactOptional(v.string()) })) })),
  ),
})

/** @throws AskError `INVALID_REQUEST`, `TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE` */
export async function readChatRequest(request: Request): Promise<ChatRequest> {
  const what = 'This starts no agent'
  const { id, prompt, messages } = parseWith(
    schema,
    await readJson(request, MAX_CHAT_BYTES),
    'INVALID_REQUEST',
    what,
  )
  const last = messages?.at(-1)
  if (prompt === undefined && !last)
    throw invalid('INVALID_REQUEST', what, [{ path: '', expected: 'a prompt, or messages' }])
  const texts = last?.parts.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []))
  return { prompt: prompt ?? texts?.join('\n') ?? '', chat: id }
}

const messagesSchema = v.object({
  id: filledText,
  messages: v.array(v.unknown()),
  trigger: v.exactOptional(v.string()),
})

/** @throws AskError `INVALID_REQUEST`, `TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE` */
export async function readMessages(request: Request): Promise<Omit<AgentChat, 'folder' | 'owner'>> {
  const body = await readJson(request, MAX_CHAT_BYTES)
  const { id, ...sent } = parseWith(messagesSchema, body, 'INVALID_REQUEST', 'This is no chat')
  return { chatId: id, ...sent }
}
