import { AskError, invalid, MAX_BODY_BYTES } from '@sandagent/core/internal'
import { type ApiRequest, bodyPieces, NOT_READ, NodeRequest } from './web-request.ts'

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads the JSON body of a request, such as an answer.
 *
 * @throws AskError `UNSUPPORTED_MEDIA_TYPE`, `TOO_LARGE`, or `INVALID_REQUEST` for invalid JSON.
 */
export const readJsonBody = (request: ApiRequest): Promise<unknown> => readJson(request, MAX_BODY_BYTES)

/** The same, of up to so many bytes. */
export async function readJson(request: ApiRequest, maxBytes: number): Promise<unknown> {
  const text = await readJsonText(request, maxBytes)
  try {
    return JSON.parse(text)
  } catch {
    throw noJson()
  }
}

/** Reads a body of JSON as text. @throws AskError `UNSUPPORTED_MEDIA_TYPE`, `TOO_LARGE`, or `INVALID_REQUEST`. */
export async function readJsonText(request: ApiRequest, maxBytes: number): Promise<string> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new AskError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send this as JSON, with the header content-type: application/json',
    )
  try {
    // Do not touch the body before: Node discards an untouched body, but waits for one that somebody began to read.
    const bytes = await readBytes(request, maxBytes)
    if (bytes) return UTF8.decode(bytes)
  } catch {
    throw noJson()
  }
  throw new AskError('TOO_LARGE', `This body has more than ${maxBytes} bytes`)
}

const noJson = (): AskError =>
  invalid('INVALID_REQUEST', 'This body cannot be read', [{ path: '', expected: 'JSON in UTF-8' }])

/** Resolves to `null` for a body that is too large, whatever size the client declares. */
async function readBytes(request: ApiRequest, most: number): Promise<Uint8Array | null> {
  if (request instanceof NodeRequest) return request.read(most)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bodyPieces(request)) {
    size += chunk.byteLength
    if (size > NOT_READ * most) return null
    if (size <= most) chunks.push(chunk)
  }
  return size > most ? null : Buffer.concat(chunks)
}
