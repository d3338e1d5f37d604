import type { PushMessage } from '@sandagent/notices/web-push'
import { answerByButton } from './answer-by-button.ts'

declare const self: ServiceWorkerGlobalScope

export type QuestionMessage = Extract<PushMessage, { kind: 'question' }>

/** The types of the language leave out the buttons of notifications. */
interface Options extends NotificationOptions {
  actions?: { action: string; title: string }[]
}

const ICON = '/icons/icon-192.png'

/** The one notification that says how a question has ended. */
const ENDED_TAG = 'ended'

const show = (title: string, options: Options): Promise<void> =>
  self.registration.showNotification(title, { icon: ICON, ...options })

/** Shows that a question waits, unless the person looks at the inbox in this browser. */
export async function showQuestion(message: QuestionMessage): Promise<void> {
  if (await isLookedAt()) return
  await close(ENDED_TAG)
  const { id, title, body, answer } = message
  const actions = answer?.choices.map(({ label }, index) => ({ action: String(index), title: label }))
  await show(title, { tag: id, body, data: message, ...(actions && { actions }) })
}

/**
 * Removes the notification of a question that has ended. Browsers want something to be seen after each push: if nothing else is
 * left, a silent notification says how the question has ended.
 */
export async function showEnded({ id, title }: Extract<PushMessage, { kind: 'ended' }>): Promise<void> {
  await close(id)
  const others = await self.registration.getNotifications()
  if (others.length === 0 && !(await isLookedAt())) await show(title, { tag: ENDED_TAG, silent: true })
}

/** What a click does: a button answers, everything else opens the question. */
export async function openOrAnswer(notification: Notification, action: string): Promise<void> {
  notification.close()
  const message = notification.data as QuestionMessage | null
  const choice = message?.answer?.choices[Number(action)]
  if (!message?.answer || !choice || action === '') return open(message)
  const { answer, ...rest } = message
  const said = await answerByButton(message.toolCallId, answer, choice)
  await show(said, { tag: `${message.id} answer`, body: message.body, data: rest })
}

async function open(message: QuestionMessage | null): Promise<void> {
  const key = message && JSON.stringify([message.sandboxId, message.toolCallId])
  const address = key === null ? '/' : `/#open/${encodeURIComponent(key)}`
  const windows = await self.clients.matchAll({ type: 'window' })
  const inbox = windows.find(({ url }) => new URL(url).pathname === '/')
  if (!inbox) return void (await self.clients.openWindow(address))
  await inbox.navigate(address)
  await inbox.focus()
}

async function close(tag: string): Promise<void> {
  for (const notification of await self.registration.getNotifications({ tag })) notification.close()
}

async function isLookedAt(): Promise<boolean> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return windows.some(({ focused, visibilityState }) => focused && visibilityState === 'visible')
}
