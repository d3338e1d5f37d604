import type { Adapter, WebhookOptions } from 'chat'

/** A button as a person sees it. */
interface PlayedButton {
  text: string
  /** Where it leads, if it is a link. */
  url?: string
  /** What the platform gives back when it is clicked. */
  data?: unknown
}

/** A message as a person sees it now. */
export interface PlayedMessage {
  id: string
  channel: string
  /** As the platform got it, in its own markup. */
  text: string
  buttons: PlayedButton[]
}

/** A form that is open. */
export interface PlayedForm {
  /** What is to be read in it. */
  texts: string[]
  /** The labels of its fields, and the labels of the options of each. */
  fields: { id: string; label: string; options?: string[] }[]
  /** What comes back with it. */
  view: object
}

/** A request that the platform sends. */
export interface Delivery {
  body: string
  headers: Record<string, string>
}

/** A platform on this machine, which its real adapter talks to. */
export interface PlayedPlatform {
  name: string
  adapter: Adapter
  /** Every request to its API. */
  calls: { method: string; body: Record<string, unknown> }[]
  messages: PlayedMessage[]
  /** What only one person was shown. */
  whispers: { user: string; text: string }[]
  forms: PlayedForm[]
  /** Status codes of the next replies. */
  failures: number[]
  /** The request for a click. */
  click(message: PlayedMessage, button: PlayedButton | undefined, user: string): Delivery
  /** The request for a form that was sent. */
  submit?(form: PlayedForm, values: Record<string, string>, user: string): Delivery
  /** The same request of somebody else than the platform. */
  forged(delivery: Delivery): Delivery
}

type Webhook = (request: Request, options?: WebhookOptions) => Promise<Response>

/** Sends a request to a host, and waits until all that it has begun is done. */
export async function deliver(webhook: Webhook, { body, headers }: Delivery): Promise<Response> {
  const tasks: Promise<unknown>[] = []
  const request = new Request('https://host.example.com/api/chat', { method: 'POST', body, headers })
  const response = await webhook(request, { waitUntil: (task) => void tasks.push(task) })
  await Promise.all(tasks)
  return response
}
