import { mkdirSync } from 'node:fs'
import { type Clock, digestOf, isSameName, parseWith, systemClock } from '@sandagent/core/internal'
import { createLocalFiles } from '@sandagent/files/internal'
import type { SigningKeys } from '@sandagent/sdk'
import pLimit from 'p-limit'
import * as v from 'valibot'
import { type Subscription, subscriptionSchema } from './subscription.ts'

const TOKEN_TYPE = 'sandagent-push+jwt'

/** How long a browser is reached that its person does not open, in milliseconds. */
const LIFETIME_MS = 30 * 24 * 60 * 60_000

/** How many browsers of one person are reached. */
const MOST_OF_PERSON = 20

export type Subscriptions = ReturnType<typeof createSubscriptions>

interface StoredBrowser {
  person: string
  browser: Subscription
  /** In seconds since 1970. */
  until: number
}

const schema = v.object({ person: v.string(), browser: subscriptionSchema })

/**
 * Keeps each browser in a file of its own: a token that this host has signed. So a new signing key ends them all, as it ends
 * sign-ins.
 */
export function createSubscriptions(
  folder: string,
  { signingKeys, clock = systemClock }: { signingKeys: SigningKeys; clock?: Clock | undefined },
) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const files = createLocalFiles(folder)
  const nameOf = (endpoint: string): string => `${digestOf(endpoint).slice(0, 32)}.jwt`

  const read = async (name: string): Promise<StoredBrowser[]> => {
    const token = await files.read(name)
    if (token === null) return [] // It was removed meanwhile.
    try {
      const claims = await signingKeys.verify(token, { type: TOKEN_TYPE, clock })
      const what = 'This is no stored subscription'
      return [{ ...parseWith(schema, claims, 'INVALID_FILE', what), until: claims.exp ?? 0 }]
    } catch {
      // It is too old, or signed with an older key.
      await files.remove(name)
      return []
    }
  }
  const all = async (): Promise<StoredBrowser[]> => {
    const names = (await files.list('.')).filter((name) => NAME.test(name))
    return (await Promise.all(names.map(read))).flat()
  }
  const remove = async (endpoint: string): Promise<void> => files.remove(nameOf(endpoint))
  const add = async (person: string, subscription: Subscription): Promise<void> => {
    const facts = { type: TOKEN_TYPE, clock, lifetimeMs: LIFETIME_MS }
    const token = await signingKeys.sign({ person, browser: subscription }, facts)
    await files.writeAtomic(nameOf(subscription.endpoint), token)
    const own = await browsersOf(person)
    const oldest = own.sort((a, b) => b.until - a.until).slice(MOST_OF_PERSON)
    await Promise.all(oldest.map(({ browser }) => remove(browser.endpoint)))
  }
  const browsersOf = async (person: string): Promise<StoredBrowser[]> =>
    (await all()).filter((each) => isSameName(each.person, person))

  // One task at a time: a look could remove a token that was renewed meanwhile.
  const inTurn = pLimit(1)
  return {
    /** Adds a browser, or renews it. */
    add: (person: string, subscription: Subscription): Promise<void> => inTurn(add, person, subscription),
    remove: (endpoint: string): Promise<void> => inTurn(remove, endpoint),
    of: (person: string): Promise<Subscription[]> =>
      inTurn(async () => (await browsersOf(person)).map(({ browser }) => browser)),
  }
}

const NAME = /^[0-9a-f]{32}\.jwt$/
