import { AskError, type Attachment, attachmentName, isObject } from '@sandagent/core/internal'
import { browserOf, endpointOf, fetchOf, type HttpTransportOptions, headersOf } from './answer-api.ts'
import { parseObject, rejection, unreachable } from './read-reply.ts'
import { signIn, signInsAt } from './sign-in.ts'

/** The question that a file belongs to. */
export interface FilePlace {
  toolCallId: string
  /** The id of the question. */
  question: string
}

interface UploadOptions {
  signal?: AbortSignal | undefined
  /** Called with the part that has been sent, from 0 to 1. */
  onProgress?: ((part: number) => void) | undefined
}

/**
 * Sends a file to the answer API. Name what it returns in `enter(question, { files })`.
 *
 * @throws AskError the API's rejection with its code, or `UNREACHABLE`
 */
export async function uploadFile(
  options: HttpTransportOptions,
  { toolCallId, question }: FilePlace,
  file: File,
  { signal, onProgress }: UploadOptions = {},
): Promise<Attachment> {
  const endpoint = endpointOf(options)
  const query = new URLSearchParams({ toolCallId, question, type: file.type, browser: browserOf(options) })
  const url = `${endpoint}${endpoint.includes('?') ? '&' : '?'}${query}`
  const post = async (): Promise<Response> => {
    const headers = await headersOf(options, 'content-type', 'application/octet-stream')
    // A `fetch` of the page's own does more than send. It tells no progress.
    return options.fetch
      ? options.fetch(url, { method: 'POST', headers, body: file, signal: signal ?? null })
      : postWithProgress(url, headers, file, { signal, onProgress })
  }
  const since = signInsAt(endpoint)
  const send = (): Promise<Response> =>
    post().catch((cause) => {
      throw unreachable('The answer API cannot be reached', cause)
    })
  let response = await send()
  if (response.status === 401 && (await signIn(endpoint, options.onUnauthorized, since)))
    response = await send()
  const reply = parseObject(await response.text())
  if (!response.ok) throw rejection(response, reply)
  const { file: stored } = reply
  if (!isObject(stored)) throw new AskError('UNREACHABLE', 'This answer API takes no files')
  const { mediaType, size, sha256 } = stored as Omit<Attachment, 'name'>
  return { name: attachmentName(file.name), mediaType, size, sha256 }
}

/** `fetch` does not tell how much of a body has been sent. */
function postWithProgress(
  url: string,
  headers: Headers,
  body: Blob,
  { signal, onProgress }: UploadOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    for (const [name, value] of headers) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const retryAfter = request.getResponseHeader('retry-after')
      resolve(
        new Response(request.responseText, {
          status: request.status,
          headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
        }),
      )
    }
    const fail = (): void => reject(new Error('The request broke off'))
    request.onerror = fail
    request.onabort = fail
    signal?.addEventListener('abort', () => request.abort())
    request.send(body)
  })
}

/**
 * Reads a file that an answer names.
 *
 * @throws AskError
 */
export async function downloadFile(
  options: HttpTransportOptions,
  toolCallId: string,
  { sha256 }: Pick<Attachment, 'sha256'>,
  signal?: AbortSignal,
): Promise<Blob> {
  const endpoint = endpointOf(options)
  const query = new URLSearchParams({ toolCallId, file: sha256, browser: browserOf(options) })
  const url = `${endpoint}${endpoint.includes('?') ? '&' : '?'}${query}`
  const response = await fetchOf(options)(url, {
    headers: await headersOf(options),
    signal: signal ?? null,
  }).catch((cause) => {
    throw unreachable('The answer API cannot be reached', cause)
  })
  if (!response.ok) throw rejection(response, parseObject(await response.text()))
  return response.blob()
}
