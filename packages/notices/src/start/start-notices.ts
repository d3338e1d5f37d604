import { resolve } from 'node:path'
import {
  AskError,
  checkOptions,
  type OnWarning,
  printableLine,
  sleep,
  systemClock,
} from '@sandagent/core/internal'
import { ownFolder } from '@sandagent/files/internal'
import { checkRules } from '../rules/check-rules.ts'
import { createSentNotices } from '../sent/sent-notices.ts'
import { followInbox } from './follow-inbox.ts'
import { NOTICES_OPTIONS, type NoticesOptions } from './notices-options.ts'

/** How often a process looks whether the one that sends has ended, in milliseconds. */
const LOOK_MS = 20_000

/**
 * Tells people about the questions of an inbox, until the signal aborts. Resolves when nothing is under way any more.
 *
 * @throws AskError `INVALID_REQUEST` for options that do not exist, or rules that name unknown people or sinks; what the inbox
 *   throws
 */
export async function startNotices(options: NoticesOptions): Promise<void> {
  checkOptions('startNotices', options, NOTICES_OPTIONS)
  checkRules({ people: options.people, rules: options.rules }, Object.keys(options.sinks), 'startNotices')
  const { signal, clock = systemClock, onWarning = logWarning } = options
  const folder = resolve(options.folder)
  const sent = createSentNotices(folder, { onWarning })
  let isTold = false
  while (!signal.aborted) {
    const losing = new AbortController()
    const onLost = (error: AskError): void => {
      onWarning({ code: error.code, message: error.message })
      losing.abort()
    }
    const leave = await ownFolder(folder, { taken: TAKEN, onLost, clock }).catch((error: unknown) => {
      if (!(error instanceof AskError) || error.code !== 'CONFLICT') throw error
      if (!isTold) onWarning({ code: error.code, message: `${error.message}: ${folder}` })
      isTold = true
      return null
    })
    if (leave === null) await sleep(clock, LOOK_MS, signal)
    else
      try {
        const own = AbortSignal.any([signal, losing.signal])
        await followInbox({ ...options, sent, onWarning, clock, signal: own })
      } finally {
        await leave()
      }
  }
}

const TAKEN = 'Another process sends the notices of this folder. This one waits until that has ended'

const logWarning: OnWarning = ({ message }) => console.error(`sandagent: ${printableLine(message)}`)
