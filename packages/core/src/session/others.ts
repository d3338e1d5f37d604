import type { Draft } from '../answer/draft.ts'
import { isAnswer, type QuestionResponse, type Responses } from '../answer/response.ts'
import type { Session } from './session-state.ts'

/** Somebody else who has the question open, or has entered something for it. */
export interface OtherPerson {
  /** The same as long as the question is open. */
  id: string
  /** Who it is, if the host knows. */
  name?: string | undefined
  /** Whether this person has the question open now. */
  isHere: boolean
  /** Whether `responses` are this person's vote. */
  hasVoted?: true | undefined
  /** Whether this person entered something in the last seconds. */
  isTyping: boolean
  /** What this person has entered and not sent, or has voted, by question id. */
  responses: Readonly<Responses>
}

/** The other people, those who have entered something first. */
export function othersOf({ view, people = [], revision }: Session): OtherPerson[] {
  if (view?.state !== 'open') return []
  const { votes = [], otherDrafts = [] } = view
  // Somebody who may not answer is not told whose vote it is.
  const voters = votes.filter(({ isOwn, name }) => !isOwn && name !== '')
  // A route that drops `browser` makes this page's own draft somebody else's. The page knows the number of its write.
  const drafts = otherDrafts.filter((draft) => draft.revision !== revision && !isAmong(voters, draft))
  const withDraft = [...voters, ...drafts].map((entered): OtherPerson => {
    const { id, name, responses } = entered
    const person = people.find((each) => each.id === id)
    return {
      id,
      name,
      isHere: person !== undefined,
      isTyping: person?.isTyping === true,
      hasVoted: isAmong(voters, entered) || undefined,
      responses: entriesIn(responses),
    }
  })
  const withoutDraft = people
    .filter((person) => !isAmong(withDraft, person))
    .map((person): OtherPerson => ({ ...person, isHere: true, responses: {} }))
  return [...withDraft, ...withoutDraft]
}

const isAmong = (people: readonly { id: string }[], { id }: { id: string }): boolean =>
  people.some((each) => each.id === id)

/** The responses that hold an answer, a note, or that the question is skipped. */
const entriesIn = (responses: Draft): Responses =>
  Object.fromEntries(Object.entries(responses).filter(([, response]) => hasEntry(response)))

const hasEntry = (response: QuestionResponse): boolean =>
  'skipped' in response || !!response.notes?.trim() || response.input !== undefined || isAnswer(response)
