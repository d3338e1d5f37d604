import type { ServerResponse } from 'node:http'
import type { SandboxProcess } from '@sandagent/sdk'

/** A question that waits sends nothing; a proxy in between must not take that for a dead connection. */
const KEEP_ALIVE_MS = 15_000

/** Streams what an agent prints, a UI message stream, as the response. Resolves when its process is gone. */
export async function streamRun(run: SandboxProcess, response: ServerResponse): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'x-vercel-ai-ui-message-stream': 'v1',
  })
  response.flushHeaders()
  // Chunks of a pipe may end inside an event, where no comment fits in.
  let isBetweenEvents = true
  let isEmpty = true
  run.stdout.on('data', (chunk: Buffer) => {
    isEmpty = false
    isBetweenEvents = chunk.subarray(-2).toString() === '\n\n'
  })
  const keepAlive = setInterval(() => {
    if (isBetweenEvents) response.write(': keep-alive\n\n')
  }, KEEP_ALIVE_MS)
  run.stdout.pipe(response, { end: false })
  run.stderr.pipe(process.stderr, { end: false })
  const { exitCode, error } = await run.ended
  clearInterval(keepAlive)
  if (isEmpty && exitCode !== 0) {
    const errorText = error?.message ?? `The agent ended with exit code ${exitCode}`
    response.write(`data: ${JSON.stringify({ type: 'error', errorText })}\n\ndata: [DONE]\n\n`)
  }
  response.end()
}
