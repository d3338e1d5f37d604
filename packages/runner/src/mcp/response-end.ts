/** Calls `onEnd` once: when the response was read to its end, or broke off, or its reader went away. */
export function withEnd(response: Response, onEnd: () => void): Response {
  const reader = response.body?.getReader()
  if (!reader) {
    onEnd()
    return response
  }
  let hasEnded = false
  // A reader that goes away also ends the read that waits.
  const end = (): void => {
    if (!hasEnded) onEnd()
    hasEnded = true
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error) => {
        end()
        throw error
      })
      if (!done) return controller.enqueue(value)
      end()
      controller.close()
    },
    async cancel(reason) {
      end()
      await reader.cancel(reason)
    },
  })
  return new Response(body, response)
}
