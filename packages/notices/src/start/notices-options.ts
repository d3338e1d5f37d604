import type { Clock, OnWarning, OptionNames } from '@sandagent/core/internal'
import type { Inbox, InboxQuestion } from '@sandagent/inbox'
import type { NoticeSink, NoticeSubject } from '../notice.ts'
import type { NoticeRules } from '../rules/notice-rules.ts'
import type { SentNotices } from '../sent/sent-notices.ts'

export interface NoticesOptions extends NoticeRules {
  inbox: Pick<Inbox, 'watch' | 'find' | 'sandboxes'>
  /** By their names. */
  sinks: Readonly<Record<string, NoticeSink>>
  /**
   * The folder for what was sent, for this user alone. Only one process at a time sends with a folder. Another one waits until
   * that process has ended.
   */
  folder: string
  /** Ends the notices. */
  signal: AbortSignal
  /** Makes the link to the form of a question for a person. Default: notices have no link. */
  linkFor?: ((subject: NoticeSubject) => Promise<string | undefined>) | undefined
  /**
   * Called for each question that waits, and once more when it has ended: its state tells. Questions that still wait after a
   * restart come again. For notices of your own.
   */
  onQuestion?: ((question: InboxQuestion) => void | Promise<void>) | undefined
  /** Default: warnings go to the console. */
  onWarning?: OnWarning | undefined
  clock?: Clock | undefined
}

export const NOTICES_OPTIONS: OptionNames<NoticesOptions> = {
  inbox: true,
  sinks: true,
  people: true,
  rules: true,
  folder: true,
  signal: 'signal',
  linkFor: 'function',
  onQuestion: 'function',
  onWarning: 'function',
  clock: 'clock',
}

/** The options with their defaults, and what was sent. */
export interface NoticesContext extends NoticesOptions {
  sent: SentNotices
  onWarning: OnWarning
  clock: Clock
}
