import type { Responses } from '../response.ts'
import type { Attachment } from './attachment.ts'

/** The files that responses name. */
export const filesIn = (responses: Readonly<Responses>): Attachment[] =>
  Object.values(responses).flatMap((response) => ('skipped' in response ? [] : (response.files ?? [])))

interface Given {
  responses?: Responses
}

/** The same, with those of the drafts and votes beside them. */
export const allFilesIn = ({
  responses,
  otherDrafts = [],
  votes = [],
}: Given & { otherDrafts?: readonly Given[]; votes?: readonly Given[] }): Attachment[] =>
  [{ responses }, ...otherDrafts, ...votes].flatMap((given) => filesIn(given.responses ?? {}))
