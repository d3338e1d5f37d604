import { join } from 'node:path'
import { digestOf, type OnWarning, warningOf } from '@sandagent/core/internal'
import { hostConfigFolder } from '@sandagent/files/internal'
import { type NoticesOptions, startNotices } from '@sandagent/notices'
import { createWebPush } from '@sandagent/notices/web-push'
import type { SigningKeys, WebHandler } from '@sandagent/sdk'
import type { Inbox } from '@sandagent/sdk/inbox'
import { answerPage } from './inbox-site.ts'

interface PushNoticesOptions {
  inbox: Inbox
  signingKeys: SigningKeys
  /** How browsers reach the site. */
  origin: string
  /** The person whose browsers are told. */
  person: string
  /** Lets push services on this machine in. For tests. */
  allowLoopback: boolean
  onWarning: OnWarning
  signal: AbortSignal
}

/** How long a question waits before browsers are told, in minutes: who looks at the page answers it there. */
const AFTER_MINUTES = 0.5

/**
 * Tells the browsers that a person has subscribed about each question, until the signal aborts.
 *
 * @returns the routes by which browsers subscribe, and what resolves when nothing is under way any more
 */
export async function startPushNotices({
  inbox,
  signingKeys,
  origin,
  person,
  allowLoopback,
  onWarning,
  signal,
}: PushNoticesOptions): Promise<{ handler: WebHandler; ended: Promise<void> }> {
  const folder = join(hostConfigFolder(), 'web-push')
  const { sink, handler } = await createWebPush({
    ...{ folder, origin, signingKeys, allowLoopback },
    personIn: async () => person,
  })
  const page = answerPage(origin)
  const options: NoticesOptions = {
    inbox,
    sinks: { push: sink },
    people: { [person]: { addresses: { push: true } } },
    rules: [{ tell: [{ afterMinutes: AFTER_MINUTES }] }],
    stateFolder: join(folder, 'sent', digestOf([origin, person]).slice(0, 32)),
    linkFor: async ({ sandboxId, toolCallId }) =>
      inbox.answerLink(sandboxId, { toolCallId, page, answeredBy: person }),
    onWarning,
    signal,
  }
  return { handler, ended: startNotices(options).catch((error: unknown) => onWarning(warningOf(error))) }
}
