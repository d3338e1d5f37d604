import {
  type Attachment,
  answersOf,
  filesIn,
  filesInWords,
  invalid,
  isRasterImage,
  lossWarning,
  type OpenRecord,
  type Outcome,
  type QuestionResponse,
  type Responses,
  type RunnerChannel,
  takesOnlyFiles,
} from '@sandagent/core/internal'
import { attachedBytes, fileAtOf } from '@sandagent/files/internal'
import type { AskOptions } from './ask-options.ts'

/** The largest file whose bytes a model gets. Of a larger one it gets the path. */
const MOST_MODEL_BYTES = 3_750_000

/**
 * The record of a question as this channel can ask it: without `files` where none would come with the answer.
 *
 * @throws AskError `INVALID_QUESTIONS` for a question that files alone could answer
 */
export function askedWithout(channel: RunnerChannel, record: OpenRecord): OpenRecord {
  if (fileAtOf(channel)) return record
  const unanswerable = record.questions.flatMap((question, index) =>
    takesOnlyFiles(question)
      ? [
          {
            path: `questions.${index}.files`,
            expected: 'options or typed answers too: no files come over this channel',
          },
        ]
      : [],
  )
  if (unanswerable.length > 0)
    throw invalid('INVALID_QUESTIONS', 'These questions cannot be asked here', unanswerable)
  return { ...record, questions: record.questions.map(({ files: _, ...question }) => question) }
}

/** The outcome with the place of each file, or why it has none. */
export async function withPaths(
  channel: Pick<RunnerChannel, 'fileAt' | 'readFile'>,
  outcome: Outcome,
  { signal, detachSignal, onWarning }: AskOptions = {},
): Promise<Outcome> {
  const { toolCallId } = outcome
  const fileAt = fileAtOf(channel)
  // Once the store was out of reach for one file, nobody waits for it again.
  const gaveUp = new AbortController()
  const until = AbortSignal.any([signal, detachSignal, gaveUp.signal].filter((each) => each !== undefined))
  const placed = async ({ path: _, missing: __, ...file }: Attachment): Promise<Attachment> => {
    const place = (await fileAt?.(file, toolCallId, until)) ?? { missing: 'gone' }
    if ('path' in place) return { ...file, ...place }
    const { missing } = place
    if (missing === 'unreachable') gaveUp.abort()
    onWarning?.(lossWarning(file.name, missing, toolCallId))
    return { ...file, missing }
  }
  const responses: Record<string, QuestionResponse> = {}
  for (const [id, response] of Object.entries(outcome.responses)) {
    responses[id] = response
    if ('skipped' in response || !response.files) continue
    // One after the other: the store of many agents gives each of them one piece at a time.
    const files: Attachment[] = []
    for (const file of response.files) files.push(await placed(file))
    responses[id] = { ...response, files }
  }
  return { ...outcome, responses, answers: answersOf(outcome.questions, filesInWords(responses)) }
}

/** A file that a model can look at. */
export interface ModelFile {
  name: string
  mediaType: string
  path: string
  /** Base64. */
  data: string
  isImage: boolean
}

/**
 * The images and PDF files of responses, for a model, of those that the agent has. The path that a response names is not
 * believed: a page may have sent it.
 */
export async function modelFiles(
  channel: Pick<RunnerChannel, 'fileAt' | 'readFile'>,
  { toolCallId, responses }: { toolCallId: string; responses: Readonly<Responses> },
): Promise<ModelFile[]> {
  const fileAt = fileAtOf(channel)
  const found: ModelFile[] = []
  for (const file of filesIn(responses)) {
    const { name, mediaType, size } = file
    const isWanted = isRasterImage(file) || mediaType === 'application/pdf'
    if (file.path === undefined || !isWanted || size > MOST_MODEL_BYTES) continue
    const place = await fileAt?.(file, toolCallId)
    if (!place || !('path' in place)) continue
    const { path } = place
    // An agent may have changed them since.
    const bytes = await attachedBytes(path, file)
    if (bytes)
      found.push({ name, mediaType, path, data: bytes.toString('base64'), isImage: isRasterImage(file) })
  }
  return found
}
