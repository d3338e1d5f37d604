import { type QuestionNotificationOptions, useQuestionNotification } from './question-notification.ts'

/** The hook as a part, so that a form loads it only where notifications are wanted. */
export function Notification(options: QuestionNotificationOptions): null {
  useQuestionNotification(options)
  return null
}
