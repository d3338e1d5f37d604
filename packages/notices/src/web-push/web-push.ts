import { join } from 'node:path'
import {
  AskError,
  type Clock,
  checkOptions,
  digestOf,
  holdsUpWork,
  type OptionNames,
} from '@sandagent/core/internal'
import type { SigningKeys, WebHandler } from '@sandagent/sdk'
import type { NoticeSink } from '../notice.ts'
import { contactOf, type EndpointCheck } from './endpoint.ts'
import { type PushPost, postPush } from './post-push.ts'
import { endedMessage, questionMessage } from './push-message.ts'
import { createSubscriptions } from './subscriptions.ts'
import { loadVapidKeys } from './vapid-keys.ts'
import { createWebPushHandler } from './web-push-handler.ts'

export interface WebPushOptions extends EndpointCheck {
  /** A folder of this host, for this user alone: the keys for push services, and the browsers that are reached. */
  folder: string
  /** How browsers reach the page, such as `https://inbox.example.com`. Only browsers that subscribed there are reached. */
  origin: string
  /** Sign what is kept of browsers. A new signing key ends all subscriptions. */
  signingKeys: SigningKeys
  /** The person of a request. @throws AskError `UNAUTHENTICATED` for nobody, and what the caller may not do */
  personIn: (request: Request) => Promise<string>
  /** Called with every failure of the host, which browsers see as a bare 500. Default: printed by `console.error`. */
  onError?: ((error: unknown) => void) | undefined
  clock?: Clock | undefined
}

const NAMES: OptionNames<WebPushOptions> = {
  folder: true,
  signingKeys: true,
  origin: true,
  personIn: 'function',
  onError: 'function',
  allowLoopback: true,
  clock: 'clock',
}

/** Notices in browsers that people have subscribed. */
export interface WebPush {
  /** Sends to all browsers of the notice's person. */
  sink: NoticeSink
  /**
   * Serves below one path of the host: `GET key` gives the public key, `POST subscribe` takes a subscription with `showText`,
   * and `POST unsubscribe` takes its `endpoint`.
   */
  handler: WebHandler
  /** Whether a browser of a person is subscribed. */
  isSubscribed(person: string): Promise<boolean>
}

/**
 * Sends notices by the Web Push protocol (RFC 8030). The page needs a service worker that shows them.
 *
 * @throws AskError `INVALID_REQUEST` for options that do not exist; `UNSAFE_PATH` for keys that others can read
 */
export async function createWebPush(options: WebPushOptions): Promise<WebPush> {
  checkOptions('createWebPush', options, NAMES)
  const { folder, origin, signingKeys, personIn, onError, allowLoopback, clock } = options
  const browsersFolder = join(folder, digestOf(origin).slice(0, 32))
  const subscriptions = createSubscriptions(browsersFolder, { signingKeys, clock })
  const vapidKeys = await loadVapidKeys(join(folder, 'vapid-keys.json'))
  const subject = contactOf(origin)

  /**
   * Sends to each browser of a person. If one of them has it, failures of others are no failure: another try would send it
   * again.
   *
   * @returns how many browsers have it
   */
  const sendAll = async (
    person: string,
    facts: Pick<PushPost, 'topic' | 'remainingMs' | 'isUrgent' | 'signal'>,
    messageFor: (showText: boolean) => string,
  ): Promise<number> => {
    let count = 0
    const failures: unknown[] = []
    const browsers = await subscriptions.of(person)
    await Promise.all(
      browsers.map(async (browser) => {
        try {
          const post = { vapidKeys, subject, allowLoopback, ...facts }
          const isSubscribed = await postPush(browser, messageFor(browser.showText), post)
          if (isSubscribed) count += 1
          else await subscriptions.remove(browser.endpoint)
        } catch (error) {
          failures.push(error)
        }
      }),
    )
    if (count === 0 && failures.length > 0) throw failures.find(mayPass) ?? failures[0]
    return count
  }

  return {
    handler: createWebPushHandler({
      subscriptions,
      publicKey: vapidKeys.publicKey,
      personIn,
      onError,
      allowLoopback,
    }),
    sink: {
      async send(notice, { signal }) {
        const { remainingMs } = notice.question
        const { person, id, isTextAllowed } = notice
        const facts = { topic: id, remainingMs, isUrgent: holdsUpWork(notice.question), signal }
        const count = await sendAll(person.name, facts, (showText) =>
          questionMessage({ ...notice, isTextAllowed: isTextAllowed || showText }),
        )
        if (count === 0) throw new AskError('UNREACHABLE', `No browser of ${person.name} is subscribed`)
        return undefined
      },
      async settle(subject, _message, ending, { signal }) {
        const facts = { topic: subject.id, remainingMs: null, isUrgent: true, signal }
        await sendAll(subject.person.name, facts, () => endedMessage(subject, ending))
      },
    },
    isSubscribed: async (person) => (await subscriptions.of(person)).length > 0,
  }
}

const mayPass = (error: unknown): boolean =>
  error instanceof AskError && ['UNREACHABLE', 'RATE_LIMITED'].includes(error.code)
