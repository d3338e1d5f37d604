import { isObject } from './own.ts'
import type { QuestionResponse, Responses } from './response.ts'

/**
 * Reads responses by question id for display: what `parseResponses` takes reads the same, and what is of another shape
 * is left out. The host parses strictly; a page shows what it can.
 */
export const readResponses = (input: unknown): Responses =>
  Object.fromEntries(
    Object.entries(isObject(input) ? input : {}).flatMap(([id, entry]): [string, QuestionResponse][] => {
      const response = isObject(entry) ? readResponse(entry) : null
      return response ? [[id, response]] : []
    }),
  )

function readResponse({
  skipped,
  selected,
  freeText,
  notes,
  source,
}: Record<string, unknown>): QuestionResponse | null {
  const noted = typeof notes === 'string' && { notes }
  if (skipped === true) return { skipped, ...noted }
  if (!Array.isArray(selected)) return null
  return {
    selected: selected.filter((value) => typeof value === 'string'),
    ...(typeof freeText === 'string' && { freeText }),
    ...noted,
    source: source === 'default' ? source : 'human',
  }
}
