import type { QuestionView } from '@sandagent/core'
import type { QuietHours } from './quiet-hours.ts'

/** Where a sink reaches a person: `true` if the sink needs no address. */
export type NoticeAddress =
  | true
  | string
  | {
      to?: string | undefined
      /** Whether the words of questions may leave this machine, by this sink and to this person. Default false. */
      showText?: boolean | undefined
    }

export interface NotifiedPerson {
  /** By the names of the sinks. */
  addresses: Readonly<Record<string, NoticeAddress>>
  quietHours?: QuietHours | undefined
  /**
   * The roles of this person, for the policy. `readNoticeSettings` and `sandagent serve` give them to answers by a link or in
   * Slack. A `linkFor` of your own passes them to the link itself. Default: none.
   */
  roles?: readonly string[] | undefined
}

/** Which questions a rule is for: those that fit everything that is given. A `*` at the end of a name stands for any ending. */
export interface QuestionFilter {
  /** Ids or names of sandboxes. */
  sandboxes?: readonly string[] | undefined
  kinds?: readonly QuestionView['kind'][] | undefined
  /** Names of subagents that ask. */
  agents?: readonly string[] | undefined
}

/** Who is told at one moment. */
export interface NoticeStep {
  /** Default: all people. */
  people?: readonly string[] | undefined
  /** Names of sinks. Default: all by which a person can be reached. */
  by?: readonly string[] | undefined
  /** How long after the question was asked, if it still waits. Default 0. */
  afterMinutes?: number | undefined
}

export interface NoticeRule {
  /** Default: every question. */
  for?: QuestionFilter | undefined
  /** The steps. With none, nobody is told. */
  tell: readonly NoticeStep[]
}

/** Who is told about which questions, and when. */
export interface NoticeRules {
  /** By their names, which are stored with their answers. */
  people: Readonly<Record<string, NotifiedPerson>>
  /** The first one that fits a question counts. Default: everybody is told at once, by every sink. */
  rules?: readonly NoticeRule[] | undefined
}
