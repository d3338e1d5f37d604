import { holdsUpWork } from '@sandagent/core/internal'
import { useWaitingQuestions } from '@sandagent/react'
import { lazy, type ReactElement, Suspense, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { BatchBar } from './batch/batch-bar.tsx'
import { BatchPane } from './batch/batch-pane.tsx'
import { useBatch } from './batch/use-batch.ts'
import { goTo, hrefTo, useAddress } from './data/address.ts'
import { keyOf, parseKey, questionUrl } from './data/api.ts'
import { SNOOZE_MS, snooze, snoozedUntil } from './data/snooze.ts'
import { prefetch } from './data/use-fetched.ts'
import { useInbox } from './data/use-inbox.ts'
import { useLists } from './data/use-lists.ts'
import { useWide } from './data/use-wide.ts'
import { Detail } from './detail/detail.tsx'
import { noteHaste } from './keys/arrival.ts'
import { Help } from './keys/help.tsx'
import { pointAt } from './keys/point-at.ts'
import { useKeys } from './keys/use-keys.ts'
import { ListPane, TITLES } from './list/list-pane.tsx'
import { sayBriefly, undoLatest } from './outbox/news.ts'
import { NewsLine } from './outbox/news-line.tsx'
import { decide, useOutbox } from './outbox/outbox.ts'
import { RunDetail } from './runs/run-detail.tsx'
import { timeOfDay, useNow } from './time.ts'
import { Warnings } from './warnings.tsx'

const Settings = lazy(() => import('./settings/settings.tsx'))

/** The questions of all agents: a list, and the question that is open. Narrow windows show one of them. */
export function App(): ReactElement {
  const { view, key } = useAddress()
  const { waiting, unreachable, connection } = useInbox()
  const now = useNow()
  const isWide = useWide()
  const decided = useOutbox()
  const [search, setSearch] = useState('')
  const [wantsForm, setWantsForm] = useState(false)
  const [settingsOpen, setSettingsOpen] = useState(false)
  const lists = useLists(view, waiting, search, now)
  const field = useRef<HTMLInputElement>(null)
  const help = useRef<HTMLDialogElement>(null)
  const [form] = useWaitingQuestions()

  const { shown } = lists
  const batch = useBatch(waiting, decided, shown)
  const selectedCount = batch.calls.length + batch.leftOut
  const [batchOpen, setBatchOpen] = useState(false)
  const showsBatch = selectedCount > 1 && (isWide || batchOpen)
  const endBatch = (): void => {
    batch.clear()
    setBatchOpen(false)
    focusCurrent()
  }
  const place = useMemo(() => shown.findIndex((entry) => keyOf(entry) === key), [shown, key])
  /** Where the question was before it left the list. */
  const lastPlace = useRef(0)
  useEffect(() => {
    if (place !== -1) lastPlace.current = place
  }, [place])
  const current = key === null ? undefined : (waiting.get(key) ?? shown[place])
  const question = current && 'question' in current ? current : undefined

  // The focus stays in the list, so that the next key acts on it.
  const [focusRequest, focusCurrent] = useReducer((count: number) => count + 1, 0)
  const goToKey = (next: string | null | undefined): void => {
    goTo(hrefTo(view, next), { replace: key !== null })
    focusCurrent()
  }
  const show = (index: number): void => goToKey(shown[index] && keyOf(shown[index]))
  /** The place that so many steps lead to. A question that has left the list is followed by the one in its place. */
  const placeAfter = (steps: 1 | -1): number => {
    if (place !== -1) return place + steps
    return key === null ? 0 : lastPlace.current + Math.min(0, steps)
  }
  /** The question that is shown when these have left the list: the next one, else the one before. */
  const keyAfter = (leaving: ReadonlySet<string | null>): string | undefined => {
    const from = placeAfter(1)
    const stays = (entry: (typeof shown)[number]): boolean => !leaving.has(keyOf(entry))
    const after =
      shown.find((entry, index) => index >= from && stays(entry)) ??
      shown.findLast((entry, index) => index < from && stays(entry))
    return after && keyOf(after)
  }
  const nextKey = keyAfter(new Set([key]))
  /** Shows what follows the question, which leaves the list. */
  const goOn = (): void => goToKey(nextKey)
  const goBackTo = (back: string): void => {
    goTo(hrefTo('open', back), { replace: key !== null })
    focusCurrent()
  }
  const putOff = (): void => {
    if (key === null || !waiting.has(key)) return
    const [before, until] = [snoozedUntil(key), view === 'later' ? null : Date.now() + SNOOZE_MS]
    snooze(key, until)
    sayBriefly(until === null ? 'Waits again' : `Not now: it comes back at ${timeOfDay(until)}`, () => {
      snooze(key, before)
      goTo(hrefTo(view, key), { replace: true })
      focusCurrent()
    })
    goOn()
  }
  const leave = (): void => {
    if (selectedCount > 0) endBatch()
    else if (!isWide) goTo(hrefTo(view), { replace: true })
    focusCurrent()
  }
  useKeys({
    move: (steps) => show(Math.min(Math.max(placeAfter(steps), 0), shown.length - 1)),
    enter() {
      if (place === -1) show(0)
      setWantsForm(view !== 'runs')
    },
    leave,
    search: () => field.current?.focus(),
    help: () => help.current?.showModal(),
    undo: undoLatest,
    done: () => question?.question.state !== 'open' && goOn(),
    snooze: putOff,
    select(isRange) {
      const entry = key === null ? undefined : waiting.get(key)
      if (entry && view === 'open') batch.toggle(entry, isRange)
    },
    pointAt,
  })

  // Side by side, the first question is open at once. What comes later does not take its place.
  const first = shown[0] && keyOf(shown[0])
  useEffect(() => {
    if (isWide && key === null && first !== undefined) goTo(hrefTo(view, first), { replace: true })
  }, [isWide, key, first, view])
  // What an agent did before it asked is there when its question is.
  useEffect(() => {
    const name = nextKey === undefined || view === 'runs' ? null : parseKey(nextKey)
    if (!name) return
    const leaving = new AbortController()
    void prefetch(questionUrl(name), leaving.signal)
    return () => leaving.abort()
  }, [nextKey, view])
  // The form of the question may still be on its way.
  const { toolCallId } = question?.question ?? {}
  useEffect(() => {
    if (!wantsForm || !form || form.toolCallId !== toolCallId) return
    setWantsForm(false)
    form.show()
  }, [wantsForm, form, toolCallId])
  // A question whose agent goes on does not call anybody.
  const openCount = lists.waits.open.filter(({ question }) => holdsUpWork(question)).length
  useEffect(() => {
    document.title = openCount === 0 ? 'Inbox' : `(${openCount}) Inbox`
  }, [openCount])

  const back = (
    <a className="back" href={hrefTo(view)}>
      ← {TITLES[view]}
    </a>
  )
  return (
    <div className="app" data-shows={showsBatch || key !== null ? 'question' : 'list'}>
      <header className="top">
        <h1>
          <span className="mark" aria-hidden="true" /> Inbox
        </h1>
        <NewsLine />
        <button type="button" className="plain" onClick={() => setSettingsOpen(true)}>
          Settings
        </button>
        <button type="button" className="plain keys" onClick={() => help.current?.showModal()}>
          Keys <kbd>?</kbd>
        </button>
      </header>
      <Warnings connection={connection} unreachable={[...unreachable.values()]} />
      <main>
        <ListPane
          view={view}
          lists={lists}
          currentKey={key}
          now={now}
          isLoading={connection === 'connecting'}
          focusRequest={focusRequest}
          search={search}
          field={field}
          batch={batch}
          bar={
            selectedCount > 0 && (
              <BatchBar count={selectedCount} onShow={() => setBatchOpen(true)} onClear={endBatch} />
            )
          }
          onSearch={setSearch}
          onEnter={() => show(Math.max(0, place))}
          onLeave={focusCurrent}
        />
        <section key={showsBatch ? 'batch' : key} className="question" aria-label="Question">
          {showsBatch ? (
            <BatchPane
              batch={batch}
              onDecide={(given) => {
                noteHaste()
                decide(given, goBackTo)
                endBatch()
                const leaving = new Set(given.map(({ entry }) => entry.key))
                if (key !== null && leaving.has(key)) goToKey(keyAfter(leaving))
              }}
            >
              <button type="button" className="plain" onClick={endBatch}>
                Clear the selection <kbd>Esc</kbd>
              </button>
            </BatchPane>
          ) : key === null ? (
            <p className="empty">
              {shown.length > 0
                ? `Pick a ${view === 'runs' ? 'run' : 'question'}, or press j.`
                : 'Agents that ask appear here by themselves.'}
            </p>
          ) : decided.has(key) ? (
            <p className="empty">This answer is on its way. {back}</p>
          ) : view === 'runs' ? (
            <RunDetail entryKey={key} now={now}>
              {back}
            </RunDetail>
          ) : (
            <Detail
              entryKey={key}
              listed={question}
              now={now}
              onLeave={leave}
              onDecided={() => {
                noteHaste()
                goOn()
              }}
              onBack={goBackTo}
            >
              {back}
              {waiting.has(key) && (
                <button type="button" className="plain" onClick={putOff}>
                  {view === 'later' ? 'Now' : 'Not now'} <kbd>s</kbd>
                </button>
              )}
            </Detail>
          )}
        </section>
      </main>
      <Help dialog={help} />
      {settingsOpen && (
        <Suspense>
          <Settings onClose={() => setSettingsOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
