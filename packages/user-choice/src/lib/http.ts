import { AskError, type ChannelWarning, httpStatusOf, invalid } from '@sandagent/core/internal'

/** A request handler, as Next.js and others take it. */
export type WebHandler = (request: Request) => Promise<Response>

export const MAX_MESSAGE_BYTES: number = 512 * 1024

/**
 * Makes a handler of posts. Its status is 200, or that of the error's code. An unexpected error is a 500, after which the
 * sender may try again.
 */
export const postHandler =
  (handle: (request: Request) => Promise<void>, onWarning: (warning: ChannelWarning) => void): WebHandler =>
  async (request) => {
    try {
      if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } })
      await handle(request)
      return Response.json({ ok: true })
    } catch (error) {
      const status = error instanceof AskError ? httpStatusOf(error.code) : undefined
      if (error instanceof AskError && status !== undefined)
        return Response.json({ ok: false, error: { code: error.code, message: error.message } }, { status })
      onWarning({ code: 'INTERNAL', message: messageOf(error) })
      return Response.json({ ok: false, error: { code: 'INTERNAL' } }, { status: 500 })
    }
  }

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Whether an error is the sender's fault. All others are of this machine. */
export const isRefusal = (error: unknown): error is AskError =>
  error instanceof AskError && httpStatusOf(error.code) !== undefined

/** Resolves to the sender's fault, if it is one. */
export async function orRefusal<T>(task: () => T | Promise<T>): Promise<T | AskError> {
  try {
    return await task()
  } catch (error) {
    if (isRefusal(error)) return error
    throw error
  }
}

/** @throws AskError for a body that is not JSON in UTF-8, is too large, or says that it is something else. */
export async function readJson({ headers, body }: Request): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? ''))
    throw new AskError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send a message as JSON, with the header content-type: application/json',
    )
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > MAX_MESSAGE_BYTES)
      throw new AskError('TOO_LARGE', `A message has at most ${MAX_MESSAGE_BYTES} bytes`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch {
    throw invalid('INVALID_REQUEST', 'This is no message', [{ path: '', expected: 'JSON in UTF-8' }])
  }
}
