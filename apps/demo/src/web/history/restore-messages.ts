import { parseJsonEventStream, readUIMessageStream, type UIMessage, uiMessageChunkSchema } from 'ai'
import type { ChatHistory, Turn } from '../../shared/api.ts'

/** The earlier messages of a chat, without that of a running agent: `useChat` resumes it. */
export async function restoreMessages({ turns }: ChatHistory, signal: AbortSignal): Promise<UIMessage[]> {
  const messages = await Promise.all(
    turns.map(async (turn, index) => {
      const isResumed = index === turns.length - 1 && turn.state === 'running'
      return [userMessage(turn), ...(isResumed ? [] : await agentMessage(turn, signal))]
    }),
  )
  return messages.flat()
}

const userMessage = ({ messageId, text }: Turn): UIMessage => ({
  id: messageId,
  role: 'user',
  parts: [{ type: 'text', text }],
})

async function agentMessage({ runId }: Turn, signal: AbortSignal): Promise<UIMessage[]> {
  const { body } = await fetch(`/api/runs/${runId}/stream`, { signal })
  if (!body) return []
  const chunks = parseJsonEventStream({ stream: body, schema: uiMessageChunkSchema }).pipeThrough(
    new TransformStream({
      transform(parsed, controller) {
        if (parsed.success) controller.enqueue(parsed.value)
      },
    }),
  )
  // Failures of runs are shown beside the messages. Here the message ends where the run ended.
  const states = readUIMessageStream({ stream: chunks, onError: () => {} })
  let message: UIMessage | undefined
  for await (message of states);
  return message ? [message] : []
}
