import type * as ai7 from 'ai-7'

/** The states of the message that a version of the AI SDK reads, one after the other; every chunk is checked on the way. */
export function messagesOf(ai: typeof ai7, text: string): AsyncIterable<ai7.UIMessage> {
  const chunks = ai
    .parseJsonEventStream({ stream: new Blob([text]).stream(), schema: ai.uiMessageChunkSchema })
    .pipeThrough(
      new TransformStream({
        transform(parsed, controller) {
          if (parsed.success) controller.enqueue(parsed.value)
          else controller.error(parsed.error)
        },
      }),
    )
  return ai.readUIMessageStream({ stream: chunks, terminateOnError: true })
}

/** The last of {@link messagesOf}, valid as a whole. */
export async function messageOf(ai: typeof ai7, text: string) {
  let message: ai7.UIMessage | undefined
  for await (message of messagesOf(ai, text));
  await ai.validateUIMessages({ messages: [message] })
  return message
}
