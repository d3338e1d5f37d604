/** The id of Claude's session in the UI stream of a run. */
export async function sessionIn(stream: ReadableStream<Uint8Array>): Promise<string | null> {
  let rest = ''
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue
      const session = JSON.parse(line.slice('data: '.length)).messageMetadata?.sessionId
      if (typeof session === 'string') return session
    }
  }
  return null
}
