import type { Clock } from '../lib/clock.ts'
import type { AskError } from '../lib/errors.ts'
import type { PresentPerson, QuestionView } from '../record/view/question-view.ts'
import type { PageAnswer } from './page-answer.ts'
import type { DraftKeeper } from './reload-draft.ts'
import type { Session } from './session-state.ts'
import type { AskSnapshot } from './snapshot.ts'

/** What the host says of an answer that it has stored. */
export interface StoredReply {
  revision?: number | undefined
  missingVotes?: number | undefined
}

/** How a session reaches the host. */
export interface AnswerTransport {
  /**
   * Stores a draft or an answer. Resolves to its revision if the host reports one, and for a vote to how many more people must
   * give the same answer.
   *
   * @throws AskError the host's rejection with its code, or `UNREACHABLE`. The session uses the view in `facts.question`.
   */
  send(answer: PageAnswer): Promise<StoredReply>
  /**
   * Reports the question now and after every change, until the returned function is called.
   *
   * @param onRefused called when the host does not show the question, and why: nobody has asked it yet, or this person may not
   *   see it
   * @param onPeople called when it changes who else has the question open, unless a view says it
   */
  subscribe?:
    | ((
        toolCallId: string,
        onView: (view: QuestionView) => void,
        onRefused?: (error: AskError) => void,
        onPeople?: (people: readonly PresentPerson[]) => void,
      ) => () => void)
    | undefined
}

/** How a session reaches its host. */
export interface HostConnectionOptions {
  transport: AnswerTransport
  /** Called when the host has stored a draft or the answer, with all entries as text. */
  onAnswer?: ((answer: PageAnswer) => void) | undefined
  /** Keeps entries that the host does not know yet, so that they survive a reload of the page. */
  drafts?: DraftKeeper | undefined
  clock?: Clock | undefined
  /** A number from 0 to 1, each time another. Default `Math.random`. */
  random?: (() => number) | undefined
}

/** What the connection needs from its session. */
export interface ConnectedSession {
  getState(): Session
  getSnapshot(): AskSnapshot
  set(change: Partial<Session>): void
  /** Calls back after every change. The returned function ends this. */
  subscribe(listener: () => void): () => void
}
