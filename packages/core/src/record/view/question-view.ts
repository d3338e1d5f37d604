import type { Responses } from '../../answer/response.ts'
import type { AskErrorCode } from '../../lib/errors.ts'
import { isObject } from '../../lib/objects.ts'
import type { GrantName } from '../answer-file/answer-file.ts'
import type { PolicyRule } from '../people/policy-rule.ts'
import type { OutcomeKind, QuestionRecord, Receipt } from '../question-record.ts'

/** What a page may know of a question: all that the host knows, without nonces. `GET` answers with it. */
export interface QuestionView
  extends Pick<QuestionRecord, 'toolCallId' | 'kind' | 'questions'>,
    Partial<
      Pick<
        QuestionRecord,
        | 'toolName'
        | 'askedAt'
        | 'subject'
        | 'asker'
        | 'takesQuestions'
        | 'blocking'
        | 'comesBack'
        | 'traceparent'
      >
    >,
    Partial<Pick<Receipt, 'settledAt' | 'answeredBy' | 'reason' | 'asksBack'>> {
  /** `open`: waits for a person. `sent`: a final answer is stored, the runner has not confirmed it yet. */
  state: 'open' | 'sent' | OutcomeKind
  /** A hash of all that is asked, see `questionDigestOf`: an answer that carries it is for what the person saw. */
  questionDigest?: string
  /**
   * The draft, the final answer, or what the agent got, by `state`. In a view for one person it is this person's own
   * draft. Without a person it is the draft that was stored last.
   */
  responses: Responses
  /** The number of the write that stored `responses`. Writes count from 1; 0 for none. */
  revision: number
  /** Whether the stored answer is a decline. */
  declined: boolean
  /** What people asked back before this call, and what the agent said then; the oldest first. */
  thread?: ShownExchange[]
  /** ISO 8601 by the host's clock, or `null` for never. */
  deadline: string | null
  /** Milliseconds left when the view was made, or `null` for no limit: pages need not share the host's clock. */
  remainingMs: number | null
  /**
   * Whether the final answer is somebody else's, or this person's own. Only in views that the host made for one person, and
   * only if the host knows who answered.
   */
  byOther?: boolean
  /** The drafts of other people, while the question is open. Only in views that the host made for one person. */
  otherDrafts?: OtherDraft[]
  /** Under a policy: the rule for this question. */
  rule?: PolicyRule
  /** Under a policy: whether this person may answer. Only in views that the host made for one person. */
  mayAnswer?: boolean
  /**
   * Under a policy: who gave the answer; while the question is open, who has voted, and how. It becomes final once enough
   * people have given the same answer.
   */
  votes?: ShownVote[]
  /**
   * How this person can allow it, where the rule demands a passkey. Absent for a person who has none, and where pages show no
   * passkeys.
   */
  passkey?: PasskeyOffer
  /** Why passkeys protect this call less than the rule demands, or cannot be used here, in one sentence. */
  passkeyNote?: string
  /** What this person can allow beyond this call, the narrowest first: `AnswerRequest.scope` names one. */
  scopes?: GrantScope[]
  /** Why a permission for calls like this one does not allow it, in one sentence. */
  asksAgain?: string
  /** Whether this person can give files, where a question takes some. Not where the host cannot store them. */
  takesFiles?: true
  /** Of an answer: the grant by which it was given. */
  grant?: GrantName
  /** Who else has the question open. Only in streams. */
  people?: PresentPerson[]
  /** ISO 8601: when the final answer was stored. */
  answeredAt?: string
  /**
   * Whether the run that asks has ended and left the question open. People can still answer: the run takes the answer when
   * somebody starts it again, or by itself where it `comesBack`.
   */
  runEnded?: true
  /**
   * Whether an answer is stored that does not count, because the host has not signed it, or no passkey has. The question
   * waits still. See `ignoredText`.
   */
  ignored?: true
  /**
   * Whether the runner's receipt tells of an answer that the host did not store. Somebody in the sandbox wrote the
   * receipt or the answer.
   */
  disputed?: true
}

/** What a page needs to let a passkey sign an answer. */
export interface PasskeyOffer {
  /** The domain of the passkeys. */
  rpId: string
  /** The credentials of this person that count. */
  ids: string[]
  /** What the passkey signs beside the answer, see `askedDigestOf`. */
  asked: string
}

/** What a person can allow beyond one call. */
export interface GrantScope {
  id: string
  /** What it allows, in plain words. */
  covers: string
}

/** What a person asked back about an earlier call. */
export interface ShownExchange {
  question: string
  /** Who asked it, if the host knows. */
  name?: string
  /** Whether it was the person who sees it. Only in views that the host made for one person. */
  isOwn?: true
  /** The agent's own words since then, if the runner has them. Nobody else vouches for them. */
  reply?: string
}

/** A draft that somebody else entered. */
export interface OtherDraft {
  /** The same for each draft and each presence of one person. */
  id: string
  /** Who entered it, if the host knows. */
  name?: string
  responses: Responses
  /** The number of the write that stored it. */
  revision: number
  /** ISO 8601: when it was stored. */
  at: string
}

/** What somebody has answered, while more people must give the same answer. Of a final answer, `responses` is empty. */
export interface ShownVote extends OtherDraft {
  /** Empty, as `responses` are, for somebody who may not answer, while the question is open. */
  name: string
  /** Whether it is the vote of the person who sees it. */
  isOwn?: true
}

/** Whether a host's answer holds a view. */
export const isQuestionView = (value: unknown): value is QuestionView =>
  isObject(value) &&
  typeof value.state === 'string' &&
  Array.isArray(value.questions) &&
  isObject(value.responses)

/** Somebody else who has a question open. */
export interface PresentPerson {
  /** The same for each draft and each presence of one person. */
  id: string
  /** Who it is, if the host knows. */
  name?: string
  /** Whether this person entered something in the last seconds. */
  isTyping: boolean
}

/** Who else has a question open now: the event `presence` of a stream. */
export interface Presence {
  toolCallId: string
  people: PresentPerson[]
}

/** Whether a host's event tells of presence. */
export const isPresence = (value: unknown): value is Presence =>
  isObject(value) &&
  typeof value.toolCallId === 'string' &&
  Array.isArray(value.people) &&
  value.people.every(
    (person) => isObject(person) && typeof person.id === 'string' && typeof person.isTyping === 'boolean',
  )

/** Why the host does not show a question now. A view may follow. */
export interface Refusal {
  toolCallId: string
  code: AskErrorCode
  message: string
}

const isRefusal = (value: unknown): value is Refusal => isObject(value) && typeof value.code === 'string'

/** What a stream tells of a question. */
export type StreamReport = QuestionView | Presence | Refusal

/** Whether an event of a stream, or a message of another tab, tells of a question. */
export const isStreamReport = (value: unknown): value is StreamReport =>
  isQuestionView(value) || isPresence(value) || isRefusal(value)
