import { AskError, allFilesIn, invalid, isRasterImage, viewOf } from '@sandagent/core/internal'
import { readAttachment, refuseGiver, storeAttachment } from '../sandbox/attachments.ts'
import type { ApiCall } from './answer-call.ts'
import { jsonText, type Reply } from './replies.ts'
import { type ApiRequest, bodyPieces, NodeRequest } from './web-request.ts'

const BYTES = 'application/octet-stream'

/** Whether a request by POST has the bytes of a file. Pages of other origins cannot send this type unasked. */
export const isUpload = ({ headers }: ApiRequest): boolean =>
  headers.get('content-type')?.toLowerCase().startsWith(BYTES) ?? false

/** Stores the body of a request as a file for the question that its query names. */
export async function uploadFile(
  { request, read }: Pick<ApiCall, 'request' | 'read'>,
  now: number,
): Promise<Reply> {
  const { searchParams } = new URL(request.url)
  const { toolCallId, questionId } = placeIn(searchParams)
  const { state, viewer, sandbox } = await read(toolCallId, 'upload')
  const view = viewOf(state, now, viewer)
  refuseGiver(view)
  const question = view.questions.find(({ id }) => id === questionId)
  if (!question) throw unknownPart('question', 'the id of one of the questions')
  const bytes = whole(request instanceof NodeRequest ? request.pieces : bodyPieces(request))
  const mediaType = searchParams.get('type') ?? BYTES
  return jsonText({
    success: true,
    file: await storeAttachment(sandbox, { toolCallId, question, mediaType, bytes }),
  })
}

/** A body. A client that goes away is no failure of this host. */
async function* whole(pieces: ReturnType<typeof bodyPieces>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
  } catch (cause) {
    throw new AskError('INVALID_REQUEST', 'The client went away in the middle of this file', { cause })
  }
}

/**
 * The bytes of a file that an answer, a draft or a vote names which this caller sees. Browsers save it, and run nothing of it:
 * an image has its type, so that a page can draw it, and everything else has none.
 */
export async function downloadFile(
  { request, read }: Pick<ApiCall, 'request' | 'read'>,
  now: number,
): Promise<Reply> {
  const { searchParams } = new URL(request.url)
  const toolCallId = searchParams.get('toolCallId') ?? ''
  const { state, viewer, sandbox } = await read(toolCallId)
  const sha256 = searchParams.get('file')
  const file = allFilesIn(viewOf(state, now, viewer)).find((named) => named.sha256 === sha256)
  const bytes = file && (await readAttachment(sandbox, toolCallId, file))
  if (!bytes) throw new AskError('NOT_FOUND', 'This file is not there any more')
  return new Response(ReadableStream.from(bytes) as ReadableStream, {
    headers: {
      'content-type': isRasterImage(file) ? file.mediaType : BYTES,
      'content-length': String(file.size),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-store',
    },
  })
}

function placeIn(searchParams: URLSearchParams): { toolCallId: string; questionId: string } {
  const toolCallId = searchParams.get('toolCallId')
  const questionId = searchParams.get('question')
  if (toolCallId && questionId) return { toolCallId, questionId }
  throw unknownPart(toolCallId ? 'question' : 'toolCallId', 'a parameter of the query')
}

const unknownPart = (path: string, expected: string): AskError =>
  invalid('INVALID_REQUEST', 'This file cannot be stored', [{ path, expected }])
