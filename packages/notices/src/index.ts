export { createDesktopSink } from './desktop/desktop-sink.ts'
export { createMailSink, type MailSinkOptions } from './mail/mail-sink.ts'
export {
  type Notice,
  type NoticeEnding,
  type NoticePerson,
  type NoticeSink,
  type NoticeSubject,
  noticeId,
  questionKey,
  type SentMessage,
} from './notice.ts'
export type {
  NoticeAddress,
  NoticeRule,
  NoticeRules,
  NoticeStep,
  NotifiedPerson,
  QuestionFilter,
} from './rules/notice-rules.ts'
export type { QuietHours } from './rules/quiet-hours.ts'
export { type FailedNotice, listFailedNotices, retryFailedNotices } from './sent/failed-notices.ts'
export { type NoticeSettings, readNoticeSettings } from './settings/settings.ts'
export { type TriedSink, trySinks } from './settings/try-sinks.ts'
export { createSlackHandler, type SlackHandlerOptions } from './slack/slack-handler.ts'
export { createSlackSink, type SlackSinkOptions } from './slack/slack-sink.ts'
export type { NoticesOptions } from './start/notices-options.ts'
export { startNotices } from './start/start-notices.ts'
export { createWebhookSink, type WebhookMessage, type WebhookSinkOptions } from './webhook/webhook-sink.ts'
