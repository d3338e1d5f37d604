import type { Clock } from '@sandagent/core/internal'
import { followPage } from '../page/page-events.ts'
import type { Connect, OpenStream, QuestionStream, Report } from './question-stream.ts'

/** An answer API as one caller sees it. */
export interface AnswerSource {
  /** Its address and the caller. Sources with the same name and the same `fetch` share a stream. */
  name: string
  fetch: typeof fetch
  /** Whether other tabs of the browser see the same. */
  isSharedByTabs: boolean
  openStream: OpenStream
}

export interface Subscriber {
  toolCallId: string
  connect: Connect
  /** What is told of this id alone. */
  onReport(report: Report): void
}

/** All subscriptions of a page to one source. */
interface PageSubscription {
  source: AnswerSource
  subscribers: Set<Subscriber>
  /** Absent until it is known whether tabs share one. */
  stream: QuestionStream | undefined
  /** Shows the stream which questions are subscribed to. */
  update(): void
  close(): void
}

const open = new Set<PageSubscription>()

/**
 * Subscribes to a question, until the returned function is called. All questions of a page share one stream. The
 * `connect` of the latest subscriber opens it.
 */
export function subscribeOnPage(source: AnswerSource, subscriber: Subscriber, clock: Clock): () => void {
  const page =
    [...open].find(({ source: { name, fetch } }) => name === source.name && fetch === source.fetch) ??
    openPage(source, clock)
  const { subscribers, update } = page
  subscribers.add(subscriber)
  update()
  return () => {
    subscribers.delete(subscriber)
    if (subscribers.size > 0) update()
    else page.close()
  }
}

/** Opens every stream of the page again, for instance after somebody signed in. */
export function refreshPage(): void {
  for (const { stream } of open) stream?.refresh()
}

function openPage(source: AnswerSource, clock: Clock): PageSubscription {
  const subscribers = new Set<Subscriber>()
  // It rejects if the last subscriber has just left. Then the stream is about to be closed.
  const connect: Connect = async (...request) => ([...subscribers].at(-1) as Subscriber).connect(...request)
  const onReport = (report: Report): void => {
    for (const each of [...subscribers]) if (each.toolCallId === report.toolCallId) each.onReport(report)
  }
  const openStream = (report: typeof onReport): QuestionStream => source.openStream(connect, report, clock)
  const share = async (): Promise<QuestionStream> => {
    try {
      const { shareAmongTabs } = await import('./tab-leader.ts')
      return shareAmongTabs(`sandagent ${source.name}`, openStream, onReport)
    } catch {
      return openStream(onReport) // Each tab has its own.
    }
  }
  const page: PageSubscription = {
    source,
    subscribers,
    stream: undefined,
    update: () =>
      page.stream?.setQuestions([...new Set([...subscribers].map(({ toolCallId }) => toolCallId))]),
    close() {
      open.delete(page)
      stopListening()
      page.stream?.close()
    },
  }
  const stopListening = followPage({ onReturn: () => page.stream?.refresh() })
  open.add(page)
  // Browsers have locks on secure pages only.
  if (source.isSharedByTabs && globalThis.navigator?.locks)
    void share().then((stream) => {
      page.stream = stream
      if (open.has(page)) page.update()
      else stream.close()
    })
  else page.stream = openStream(onReport)
  return page
}
