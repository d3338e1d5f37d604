import { AskError, invalid, MAX_BODY_BYTES } from '@sandagent/core/internal'

/** How many bytes of a body that is too large are read and dropped. */
const MAX_DROPPED_BYTES = 4 * MAX_BODY_BYTES

/** Reads a JSON body. @throws AskError `UNSUPPORTED_MEDIA_TYPE`, `TOO_LARGE`, or `INVALID_REQUEST` for invalid JSON. */
export async function readJsonBody(request: Request): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new AskError('UNSUPPORTED_MEDIA_TYPE', 'An answer is sent as application/json')
  try {
    // Do not touch the body before: Node discards an untouched body, but waits for one that somebody began to read.
    const bytes = await readBytes(request.body)
    if (bytes) return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalid('INVALID_REQUEST', 'This is no answer', [{ path: '', expected: 'JSON in UTF-8' }])
  }
  throw new AskError('TOO_LARGE', `An answer has at most ${MAX_BODY_BYTES} bytes`)
}

/**
 * Resolves to `null` for a body that is too large, whatever size the client declares. The rest of the body is dropped,
 * because over HTTP/1.1 the next request follows on the same connection.
 */
async function readBytes(body: Request['body']): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > MAX_DROPPED_BYTES) return null
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  return size > MAX_BODY_BYTES ? null : Buffer.concat(chunks)
}
