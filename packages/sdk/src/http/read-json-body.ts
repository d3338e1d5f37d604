import { AskError, invalid, MAX_BODY_BYTES } from '@sandagent/core/internal'
import { bodyPieces } from './web-request.ts'

/**
 * Reads the JSON body of a request, such as an answer.
 *
 * @throws AskError `UNSUPPORTED_MEDIA_TYPE`, `TOO_LARGE`, or `INVALID_REQUEST` for invalid JSON.
 */
export const readJsonBody = (request: Request): Promise<unknown> => readJson(request, MAX_BODY_BYTES)

/** The same, of up to so many bytes. */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const text = await readJsonText(request, maxBytes)
  try {
    return JSON.parse(text)
  } catch {
    throw noJson()
  }
}

/** Reads a body of JSON as text. @throws AskError `UNSUPPORTED_MEDIA_TYPE`, `TOO_LARGE`, or `INVALID_REQUEST`. */
export async function readJsonText(request: Request, maxBytes: number): Promise<string> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new AskError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send this as JSON, with the header content-type: application/json',
    )
  try {
    // Do not touch the body before: Node discards an untouched body, but waits for one that somebody began to read.
    const bytes = await readBytes(request, maxBytes)
    if (bytes) return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw noJson()
  }
  throw new AskError('TOO_LARGE', `This body has more than ${maxBytes} bytes`)
}

const noJson = (): AskError =>
  invalid('INVALID_REQUEST', 'This body cannot be read', [{ path: '', expected: 'JSON in UTF-8' }])

/**
 * Resolves to `null` for a body that is too large, whatever size the client declares. The rest of the body is dropped,
 * because over HTTP/1.1 the next request follows on the same connection. A body of more than four times the size is left.
 */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bodyPieces(request)) {
    size += chunk.byteLength
    if (size > 4 * maxBytes) return null
    if (size <= maxBytes) chunks.push(chunk)
  }
  return size > maxBytes ? null : Buffer.concat(chunks)
}
