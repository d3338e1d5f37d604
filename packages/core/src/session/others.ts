import type { Draft } from '../answer/draft.ts'
import { isAnswer, type QuestionResponse, type Responses } from '../answer/response.ts'
import type { SessionState } from './session-state.ts'

/** Somebody else who has the question open, or has entered something for it. */
export interface OtherPerson {
  /** The same as long as the question is open. */
  id: string
  /** Who it is, if the host knows. */
  name?: string
  /** Whether this person has the question open now. */
  isHere: boolean
  /** Whether `responses` are this person's vote. */
  hasVoted?: true
  /** Whether this person entered something in the last seconds. */
  isTyping: boolean
  /** What this person has entered and not sent, or has voted, by question id. */
  responses: Readonly<Responses>
}

/** The other people, those who have entered something first. */
export function othersOf({ view, people = [], revision }: SessionState): OtherPerson[] {
  if (view?.state !== 'open') return []
  // A route that drops `browser` makes this page's own draft somebody else's. The page knows the number of its write.
  const drafts = (view.otherDrafts ?? []).filter((draft) => draft.revision !== revision)
  // Somebody who may not answer is not told whose vote it is.
  const votes = (view.votes ?? []).filter(({ isOwn, name }) => !isOwn && name !== '')
  const voters = votes.map(({ id }) => id)
  const entered = [...votes, ...drafts.filter(({ id }) => !voters.includes(id))]
  const withDraft = entered.map(({ id, name, responses }): OtherPerson => {
    const person = people.find((each) => each.id === id)
    const presence = { isHere: person !== undefined, isTyping: person?.isTyping === true }
    const vote = voters.includes(id) && { hasVoted: true as const }
    return { id, ...(name !== undefined && { name }), ...presence, ...vote, responses: entriesIn(responses) }
  })
  const withoutDraft = people
    .filter(({ id }) => !entered.some((each) => each.id === id))
    .map((person): OtherPerson => ({ ...person, isHere: true, responses: {} }))
  return [...withDraft, ...withoutDraft]
}

/** The responses that hold an answer, a note, or that the question is skipped. */
const entriesIn = (responses: Draft): Responses =>
  Object.fromEntries(Object.entries(responses).filter(([, response]) => hasEntry(response)))

const hasEntry = (response: QuestionResponse): boolean =>
  'skipped' in response || !!response.notes?.trim() || isAnswer(response)
