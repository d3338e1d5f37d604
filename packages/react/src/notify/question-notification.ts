import { useEffect } from 'react'
import { listen } from '../page/page-events.ts'

export interface QuestionNotificationOptions {
  /** Whether to show notifications. See {@link askToNotify}. Default false. */
  isEnabled?: boolean | undefined
  isWaiting: boolean
  /** Each tool call has one notification, in all tabs together. */
  toolCallId: string
  /** The text of the notification: for instance the agent's name, and its question. */
  title: string
  body: string
}

/**
 * Shows a browser notification while a question waits in a hidden tab. It disappears when the tab is visible or the
 * question has ended. A click on it opens the tab. It never asks for the browser's permission.
 */
export function useQuestionNotification(options: QuestionNotificationOptions): void {
  const { isEnabled, isWaiting, toolCallId, title, body } = options
  useEffect(
    () =>
      isWaiting && isEnabled ? notifyWhileHidden(title, { body, tag: `sandagent ${toolCallId}` }) : undefined,
    [isWaiting, isEnabled, title, body, toolCallId],
  )
}

/** Asks for the browser's permission to notify. Call it from a click or a key press: browsers require that. */
export async function askToNotify(): Promise<boolean> {
  const { Notification } = globalThis
  return Notification !== undefined && (await Notification.requestPermission()) === 'granted'
}

/** The returned function closes the notification. */
function notifyWhileHidden(title: string, options: NotificationOptions): () => void {
  let shown: Notification | null = null
  const update = (): void => {
    if (document.visibilityState === 'hidden') shown ??= show(title, options)
    else takeBack()
  }
  const takeBack = (): void => {
    shown?.close()
    shown = null
  }
  const end = listen(document, 'visibilitychange', update)
  update()
  return () => {
    end()
    takeBack()
  }
}

function show(title: string, options: NotificationOptions): Notification | null {
  const { Notification } = globalThis
  if (Notification?.permission !== 'granted') return null
  try {
    const notification = new Notification(title, options)
    notification.onclick = () => {
      focus()
      notification.close()
    }
    return notification
  } catch {
    return null // Browsers on phones allow notifications only from a service worker.
  }
}
