import type * as ai7 from 'ai-7'

/** The last state of the message that a version of the AI SDK reads; every chunk is checked on the way. */
export async function messageOf(ai: typeof ai7, text: string) {
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
  let message: ai7.UIMessage | undefined
  for await (message of ai.readUIMessageStream({ stream: chunks, terminateOnError: true }));
  await ai.validateUIMessages({ messages: [message] })
  return message
}
