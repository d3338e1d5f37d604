import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  type Attachment,
  answersOf,
  failedWith,
  filesIn,
  filesInWords,
  invalid,
  isRasterImage,
  type OpenRecord,
  type Outcome,
  type QuestionResponse,
  type Responses,
  type RunnerChannel,
  takesOnlyFiles,
} from '@sandagent/core/internal'
import { fileAtOf } from '@sandagent/files/internal'

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

/** The outcome with the places of its files: of those whose bytes are there, and are as the answer says. */
export async function withPaths(channel: RunnerChannel, outcome: Outcome): Promise<Outcome> {
  const fileAt = fileAtOf(channel)
  const placed = async ({ path: _, ...file }: Attachment): Promise<Attachment> => {
    const path = await fileAt?.(file, outcome.toolCallId)
    return path ? { ...file, path } : file
  }
  const entries = Object.entries(outcome.responses).map(
    async ([id, response]): Promise<[string, QuestionResponse]> => {
      if ('skipped' in response || !response.files) return [id, response]
      const files = await Promise.all(response.files.map(placed))
      return [id, { ...response, files }]
    },
  )
  const responses = Object.fromEntries(await Promise.all(entries))
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
 * The images and PDF files of responses, for a model. The path that a response names is not believed: a page may have sent it.
 */
export async function modelFiles(
  channel: Pick<RunnerChannel, 'fileAt' | 'readFile'>,
  { toolCallId, responses }: { toolCallId: string; responses: Readonly<Responses> },
): Promise<ModelFile[]> {
  const fileAt = fileAtOf(channel)
  const wanted = filesIn(responses).filter(
    (file) => file.size <= MOST_MODEL_BYTES && (isRasterImage(file) || file.mediaType === 'application/pdf'),
  )
  const found = wanted.map(async (file): Promise<ModelFile[]> => {
    const path = await fileAt?.(file, toolCallId)
    const bytes = path ? await readFile(path).catch(absent) : null
    // An agent may have changed them since.
    if (!path || !bytes || createHash('sha256').update(bytes).digest('hex') !== file.sha256) return []
    const { name, mediaType } = file
    return [{ name, mediaType, path, data: bytes.toString('base64'), isImage: isRasterImage(file) }]
  })
  return (await Promise.all(found)).flat()
}

const absent = (error: unknown): null => {
  if (failedWith(error, ['ENOENT'])) return null
  throw error
}
