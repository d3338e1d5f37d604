import { fetchJson } from '../data/api.ts'

const API = '/api/push'
const STORAGE_KEY = 'sandagent inbox notices show text'

/** What this browser knows of notices. */
export type NoticeState = 'unsupported' | 'blocked' | 'off' | 'on'

/** Whether the words of questions are shown in notices of this browser. The browser keeps it. */
export const showsText = (): boolean => localStorage.getItem(STORAGE_KEY) === 'yes'

export async function noticeState(): Promise<NoticeState> {
  if (!('PushManager' in window) || !('serviceWorker' in navigator)) return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  return (await subscriptionNow()) ? 'on' : 'off'
}

/**
 * Turns notices on, or changes what they show. Call it in a click: the browser asks the person.
 *
 * @throws Error with words for people
 */
export async function turnOn(showText: boolean): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return
  const { pushManager } = await navigator.serviceWorker.ready
  const { publicKey } = await fetchJson<{ publicKey: string }>(`${API}/key`, {})
  const known = await pushManager.getSubscription()
  const isSame = known && base64url(known.options.applicationServerKey) === publicKey
  if (known && !isSame) await known.unsubscribe()
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  const subscription = isSame ? known : await pushManager.subscribe(options)
  await post('subscribe', { ...subscription.toJSON(), showText })
  localStorage.setItem(STORAGE_KEY, showText ? 'yes' : 'no')
}

export async function turnOff(): Promise<void> {
  const subscription = await subscriptionNow()
  if (!subscription) return
  await subscription.unsubscribe()
  await post('unsubscribe', { endpoint: subscription.endpoint })
}

/** Notices go on as long as somebody opens the page now and then. */
export async function renewNotices(): Promise<void> {
  if ((await noticeState()) === 'on') await turnOn(showsText())
}

async function subscriptionNow(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

const post = (route: string, body: object): Promise<unknown> =>
  fetchJson(`${API}/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const base64url = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
