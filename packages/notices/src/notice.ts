import { digestOf, type OutcomeKind, type QuestionView } from '@sandagent/core/internal'
import type { InboxQuestion } from '@sandagent/inbox'

/** Who gets a notice, by one sink. */
export interface NoticePerson {
  /** Stored with the answers of this person, as `answeredBy`. */
  name: string
  /** Where the sink reaches the person, such as a mail address. Absent if the sink needs none. */
  address?: string
}

/** Which question a notice is about, and who gets it. A question that has ended has no more than this. */
export interface NoticeSubject {
  /** The same for the same question and person: what is sent again is no second notice. 32 characters, `0-9a-f`. */
  id: string
  sandboxId: string
  sandboxName: string
  toolCallId: string
  person: NoticePerson
}

/** One question that waits, for one person. */
export interface Notice extends NoticeSubject {
  question: QuestionView
  /** Leads to the form of this question. */
  link?: string
  /** Whether the words of the question may leave this machine by this sink. Without it, say only where it is asked. */
  isTextAllowed: boolean
}

/** What became of a question. `gone`: nobody asks it any more. */
export interface NoticeEnding {
  state: OutcomeKind | 'gone'
  answeredBy?: string
}

/** What a sink keeps of a message, to edit it later. It is stored as JSON. */
export type SentMessage = string | number | { readonly [key: string]: string | number }

/** Carries notices to people. */
export interface NoticeSink {
  /**
   * Sends a notice. A failure is tried again, also after a restart. So the same notice may come twice.
   *
   * @throws AskError `UNREACHABLE` or `RATE_LIMITED`, or any other error, if a later try may work. `facts.retryAfterMs` says
   *   when. Another `AskError` ends the tries.
   */
  send(notice: Notice, options: { signal: AbortSignal }): Promise<SentMessage | undefined>
  /** Says that the question has ended: edits or closes what was sent. It throws as `send` does. */
  settle?(
    subject: NoticeSubject,
    message: SentMessage | undefined,
    ending: NoticeEnding,
    options: { signal: AbortSignal },
  ): Promise<void>
}

/** The same as long as the same question is asked. 32 characters, `0-9a-f`. */
export const questionKey = ({ sandboxId, question }: InboxQuestion): string => {
  const { toolCallId, questionDigest, askedAt, questions } = question
  return digestOf([sandboxId, toolCallId, askedAt ?? null, questionDigest ?? questions]).slice(0, 32)
}

/** The id of the notice about a question for one person. */
export const noticeId = (question: InboxQuestion, person: string): string =>
  digestOf([questionKey(question), person]).slice(0, 32)
