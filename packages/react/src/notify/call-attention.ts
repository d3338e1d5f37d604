import { notifyWhileHidden, type QuestionNotificationOptions } from './question-notification.ts'
import { countIn } from './title-badge.ts'

/** Tells in the title of the tab, and by a notification where that is wanted, that a question waits; the returned function takes both back. */
export function callAttention(options: Omit<QuestionNotificationOptions, 'isWaiting'>): () => void {
  const uncount = countIn()
  const takeBack = notifyWhileHidden(options)
  return () => {
    uncount()
    takeBack?.()
  }
}
