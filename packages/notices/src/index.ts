export {
  type Notice,
  type NoticeEnding,
  type NoticePerson,
  type NoticeSink,
  type NoticeSubject,
  noticeId,
  type SentMessage,
} from './notice.ts'
