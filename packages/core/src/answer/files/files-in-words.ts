import type { QuestionResponse, Responses } from '../response.ts'
import { lossText } from './file-loss.ts'

/**
 * The same responses with their files as words, for a system that carries words alone: as the answer where nothing else was
 * said, and else as a note.
 */
export const filesInWords = (responses: Readonly<Responses>): Responses =>
  Object.fromEntries(Object.entries(responses).map(([id, response]) => [id, inWords(response)]))

function inWords(given: QuestionResponse): QuestionResponse {
  if ('skipped' in given || !given.files?.length) return given
  const { files, ...response } = given
  const words = files
    .map(({ name, path, missing }) =>
      path !== undefined ? `${name} at ${path}` : missing ? `${name} (${lossText(missing)})` : name,
    )
    .join(', ')
  const isSaid = response.selected.length > 0 || response.freeText?.trim() || response.sealed
  if (!isSaid) return { ...response, freeText: words }
  return { ...response, notes: [response.notes?.trim(), `Files: ${words}`].filter(Boolean).join('\n') }
}
