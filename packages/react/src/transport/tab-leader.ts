// Why it is so: docs/decisions/0034-tabs-share-one-stream.md

import { randomId } from './browser-id.ts'
import type { QuestionStream, Report } from './question-stream.ts'

/** How the tabs of a browser agree on a leader and send messages. */
export interface TabPlatform {
  locks: Pick<LockManager, 'request'>
  openChannel: (name: string) => BroadcastChannel
  /** Whether a person may be looking at this tab. */
  isVisible: () => boolean
}

/** What tabs send: the questions of one tab, what the leader learned, or its request for their questions. */
type Message = { tab: string; wants: readonly string[] } | Report | '?'

/**
 * Shares one stream among all tabs of a browser that use the same name. One tab leads: it holds the stream for the
 * questions of all tabs, and passes on what it learns. The tab that a person returns to takes the lead, because the browser
 * may have put a leader in the background to sleep. If tabs cannot agree, each has its own stream.
 */
export function shareAmongTabs(
  name: string,
  openStream: (onReport: (report: Report) => void) => QuestionStream,
  onReport: (report: Report) => void,
  platform: TabPlatform = browserPlatform(),
): QuestionStream {
  const { locks, isVisible } = platform
  const tab = randomId()
  const channel = platform.openChannel(name)
  const leaving = new AbortController()
  const { signal } = leaving
  const hasLeft = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  const post = (message: Message): void => channel.postMessage(message)
  let mine: readonly string[] = []
  let isKnown = false
  let isQueued = false
  let lead: Lead | null = null

  const tell = (): void => {
    if (lead) lead.note(tab, mine)
    else if (isKnown) post({ tab, wants: mine })
  }

  const takeLead = (): Promise<void> => {
    if (!signal.aborted) {
      const stream = openStream((report) => {
        post(report)
        take(report)
      })
      lead = startLead(name, stream, locks)
      tell()
      post('?')
    }
    return hasLeft
  }

  const endLead = (): void => {
    lead?.end()
    lead = null
  }

  const take = (report: Report): void => {
    if (!signal.aborted && mine.includes(report.toolCallId)) onReport(report)
  }

  /** Waits for its turn to lead, or steals the lead. */
  const request = async (options: LockOptions): Promise<void> => {
    try {
      await locks.request(name, options, () => {
        if (!options.steal) isQueued = false
        return takeLead()
      })
    } catch {
      if (signal.aborted) return
      // Another tab took the lead, or the browser grants no locks here.
      if (lead) endLead()
      else return void takeLead()
      if (!isQueued) queue()
    }
  }
  const queue = (): void => {
    isQueued = true
    void request({ signal })
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (typeof data === 'string') {
      if (isKnown) post({ tab, wants: mine })
    } else if ('wants' in data) lead?.note(data.tab, data.wants)
    else take(data)
  }
  queue()
  // The tab holds this lock as long as it lives, so that others see when it is gone. Then it announces itself.
  const live = (): Promise<void> => {
    isKnown = true
    tell()
    return hasLeft
  }
  // It is refused once the tab leaves. Then nobody waits for it.
  locks.request(lockOf(name, tab), { signal }, live).catch(() => {})

  return {
    setQuestions(toolCallIds) {
      mine = toolCallIds
      tell()
    },
    refresh() {
      if (lead) lead.refresh()
      else if (isVisible()) void request({ steal: true })
    },
    close() {
      leaving.abort()
      endLead()
      channel.close()
    },
  }
}

/** What the leading tab does for all tabs. */
interface Lead {
  note(tab: string, wants: readonly string[]): void
  refresh(): void
  end(): void
}

function startLead(name: string, stream: QuestionStream, locks: TabPlatform['locks']): Lead {
  const ending = new AbortController()
  const wanted = new Map<string, readonly string[]>()
  const update = (): void => stream.setQuestions([...new Set([...wanted.values()].flat())])
  return {
    note(tab, wants) {
      if (!wanted.has(tab)) {
        const forget = (): void => {
          wanted.delete(tab)
          update()
        }
        // It is refused once this tab leads no more. Then nobody waits for it.
        locks.request(lockOf(name, tab), { signal: ending.signal }, forget).catch(() => {})
      }
      wanted.set(tab, wants)
      update()
    },
    refresh: stream.refresh,
    end() {
      ending.abort()
      stream.close()
    },
  }
}

/** The lock that a tab holds as long as it lives. */
const lockOf = (name: string, tab: string): string => `${name} ${tab}`

const browserPlatform = (): TabPlatform => ({
  locks: navigator.locks,
  openChannel: (name) => new BroadcastChannel(name),
  isVisible: () => document.visibilityState === 'visible',
})
