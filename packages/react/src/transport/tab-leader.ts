import { isQuestionView, type QuestionView } from '@sandagent/core/internal'
import type { Following } from './follow-questions.ts'

/** How the tabs of a browser agree and talk; those of the browser itself by default. */
export interface TabMeans {
  locks: Pick<LockManager, 'request'>
  openChannel: (name: string) => BroadcastChannel
  /** Whether a person may be looking at this tab. */
  isVisible: () => boolean
}

/** What tabs tell each other: what one wants to follow, what the leader saw, or its question what all of them want. */
type Message = { tab: string; wants: readonly string[] } | QuestionView | 'What do you follow?'

/**
 * Follows questions once for all tabs of a browser that use the same name: one of them leads, holds the connection for
 * what any of them wants, and tells the others. The tab that a person comes back to takes the lead, because a leader
 * in the background may have been put to sleep. Where tabs cannot agree, each follows for itself.
 */
export function shareTabs(
  name: string,
  follow: (onView: (view: QuestionView) => void) => Following,
  onView: (view: QuestionView) => void,
  means: TabMeans | null = meansOfBrowser(),
): Following {
  if (!means) return follow(onView)
  const { locks, isVisible } = means
  const tab = Math.random().toString(36).slice(2)
  const channel = means.openChannel(name)
  const leaving = new AbortController()
  const { signal } = leaving
  const tell = (message: Message): void => channel.postMessage(message)
  let mine: readonly string[] = []
  let isKnown = false
  let isQueued = false
  let lead: Lead | null = null

  const takeLead = (): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const following = follow((view) => {
        tell(view)
        take(view)
      })
      lead = startLead(name, following, locks)
      lead.note(tab, mine)
      tell('What do you follow?')
      signal.addEventListener('abort', () => resolve())
    })

  const endLead = (): void => {
    lead?.end()
    lead = null
  }

  const take = (view: QuestionView): void => {
    if (!signal.aborted && mine.includes(view.toolCallId)) onView(view)
  }

  /** Waits for its turn to lead, or takes it from whoever leads. */
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
    if (isQuestionView(data)) take(data)
    else if (typeof data !== 'string') lead?.note(data.tab, data.wants)
    else if (isKnown) tell({ tab, wants: mine })
  }
  queue()
  // Held as long as this tab lives. Others hear of the tab once that is so, and find out by it when it is gone.
  const live = (): Promise<void> =>
    new Promise((resolve) => {
      isKnown = true
      tell({ tab, wants: mine })
      signal.addEventListener('abort', () => resolve())
    })
  locks.request(lockOf(name, tab), { signal }, live).catch(() => {})

  return {
    want(toolCallIds) {
      mine = toolCallIds
      if (lead) lead.note(tab, mine)
      else if (isKnown) tell({ tab, wants: mine })
    },
    refresh() {
      if (lead) lead.refresh()
      else if (isVisible()) void request({ steal: true })
    },
    stop() {
      leaving.abort()
      endLead()
      channel.close()
    },
  }
}

/** What the leading tab does for all. */
interface Lead {
  note(tab: string, wants: readonly string[]): void
  refresh(): void
  end(): void
}

function startLead(name: string, following: Following, locks: TabMeans['locks']): Lead {
  const ending = new AbortController()
  const wanted = new Map<string, readonly string[]>()
  const update = (): void => following.want([...new Set([...wanted.values()].flat())])
  return {
    note(tab, wants) {
      if (!wanted.has(tab)) {
        const forget = (): void => {
          wanted.delete(tab)
          update()
        }
        locks.request(lockOf(name, tab), { signal: ending.signal }, forget).catch(() => {})
      }
      wanted.set(tab, wants)
      update()
    },
    refresh: following.refresh,
    end() {
      ending.abort()
      following.stop()
    },
  }
}

/** The lock that a tab holds as long as it lives. */
const lockOf = (name: string, tab: string): string => `${name} ${tab}`

function meansOfBrowser(): TabMeans | null {
  const { locks } = globalThis.navigator ?? {}
  // Browsers have locks on secure pages only.
  if (!locks) return null
  return {
    locks,
    openChannel: (name) => new BroadcastChannel(name),
    isVisible: () => document.visibilityState === 'visible',
  }
}
