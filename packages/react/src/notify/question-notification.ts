import { useEffect } from 'react'

export interface QuestionNotificationOptions {
  /** Whether the person wants to be told, see {@link askToNotify}. Default false. */
  isEnabled?: boolean | undefined
  isWaiting: boolean
  /** One notification per tool call, whichever of the browser's tabs shows it. */
  toolCallId: string
  /** What it says: the agent's name for instance, and its question. */
  title: string
  body: string
}

/**
 * Tells by a notification of the browser that a question waits in a tab that nobody looks at: one that arrives there,
 * or one that is left there. It is taken back once somebody looks, or the question waits no more; a click on it leads
 * to the tab. It never asks for permission.
 */
export function useQuestionNotification(options: QuestionNotificationOptions): void {
  const { isEnabled, isWaiting, toolCallId, title, body } = options
  useEffect(
    () =>
      isWaiting && isEnabled ? notifyWhileHidden(title, { body, tag: `sandagent ${toolCallId}` }) : undefined,
    [isWaiting, isEnabled, title, body, toolCallId],
  )
}

/** Asks for the browser's permission to notify. Browsers want a click or a key press to lead to it. */
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
  document.addEventListener('visibilitychange', update)
  update()
  return () => {
    document.removeEventListener('visibilitychange', update)
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
    return null // Browsers on phones notify from a service worker alone.
  }
}
