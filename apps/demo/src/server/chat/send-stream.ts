import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { RUN_STREAM_HEADERS } from '@sandagent/sdk'
import type { Response } from 'express'

/** Sends the stream of a run, as long as the page reads it. */
export function sendStream(response: Response, stream: ReadableStream<Uint8Array>): void {
  const body = Readable.fromWeb(stream as NodeReadableStream<Uint8Array>)
  response.writeHead(200, { ...RUN_STREAM_HEADERS })
  response.on('close', () => body.destroy())
  body.on('error', () => response.destroy())
  body.pipe(response)
}
