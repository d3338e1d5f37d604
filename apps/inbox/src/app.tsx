import type { InboxQuestion, InboxRun } from '@sandagent/inbox'
import { useWaitingQuestions } from '@sandagent/react'
import { lazy, type ReactElement, Suspense, useEffect, useReducer, useRef, useState } from 'react'
import { goTo, hrefTo, useAddress, VIEWS, type View } from './data/address.ts'
import { keyOf } from './data/api.ts'
import { inOrder } from './data/inbox-state.ts'
import { matches, wordsOf } from './data/search.ts'
import { isSnoozed, SNOOZE_MS, snooze, useSnoozed } from './data/snooze.ts'
import { useInbox } from './data/use-inbox.ts'
import { Detail } from './detail/detail.tsx'
import { answerIn, endingOf } from './history/ending.ts'
import { useHistory } from './history/use-history.ts'
import { Help } from './keys/help.tsx'
import { useKeys } from './keys/use-keys.ts'
import { Entry } from './list/entry.tsx'
import { SearchField } from './list/search-field.tsx'
import { sentText } from './list/title.ts'
import { RunDetail } from './runs/run-detail.tsx'
import { RunEntry } from './runs/run-entry.tsx'
import { useRuns } from './runs/use-runs.ts'
import { useNow } from './time.ts'
import { Warnings } from './warnings.tsx'

const Settings = lazy(() => import('./settings/settings.tsx'))

const TITLES: Readonly<Record<View, string>> = {
  open: 'Open',
  later: 'Not now',
  history: 'History',
  runs: 'Runs',
}

const NOTHING: Readonly<Record<View, string>> = {
  open: 'Nothing waits for you.',
  later: 'You have put nothing off.',
  history: 'Nothing was asked yet.',
  runs: 'No run was started yet.',
}

/** The questions of all agents: a list, and the question that is open. Narrow windows show one of them. */
export function App(): ReactElement {
  const { view, key } = useAddress()
  const { waiting, unreachable, connection } = useInbox()
  const snoozed = useSnoozed()
  const now = useNow()
  const [search, setSearch] = useState('')
  const [sent, setSent] = useState('')
  const [wantsForm, setWantsForm] = useState(false)
  const [settingsOpen, setSettingsOpen] = useState(false)
  const history = useHistory(view === 'history', waiting.size)
  const runs = useRuns(view === 'runs', now)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const help = useRef<HTMLDialogElement>(null)
  const [form] = useWaitingQuestions()

  const all = inOrder(waiting)
  const later = all.filter((entry) => isSnoozed(entry, snoozed, now))
  const open = all.filter((entry) => !later.includes(entry))
  const words = wordsOf(search)
  const ofView: (InboxQuestion | InboxRun)[] = {
    open,
    later,
    history: history.questions,
    runs: runs.value ?? [],
  }[view]
  const shown = ofView.filter((entry) => matches(entry, words))
  const place = shown.findIndex((entry) => keyOf(entry) === key)
  /** Where the question was before it left the list. */
  const lastPlace = useRef(0)
  useEffect(() => {
    if (place !== -1) lastPlace.current = place
  }, [place])
  const current = key === null ? undefined : (waiting.get(key) ?? shown[place])
  const question = current && 'question' in current ? current : undefined

  // The focus stays in the list, so that the next key acts on it.
  const [focusRequest, focusCurrent] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (focusRequest === 0) return
    const link = list.current?.querySelector<HTMLElement>('[aria-current]')
    link?.focus()
    link?.scrollIntoView({ block: 'nearest' })
  }, [focusRequest])
  const show = (index: number): void => {
    const entry = shown[index]
    goTo(hrefTo(view, entry && keyOf(entry)), { replace: key !== null })
    focusCurrent()
  }
  /** The place that so many steps lead to. A question that has left the list is followed by the one in its place. */
  const placeAfter = (steps: 1 | -1): number => {
    if (place !== -1) return place + steps
    return key === null ? 0 : lastPlace.current + Math.min(0, steps)
  }
  /** Shows what follows the question, which leaves the list. */
  const goOn = (): void => {
    const next = shown[placeAfter(1)] ?? shown[placeAfter(-1)]
    goTo(hrefTo(view, next && keyOf(next)), { replace: true })
    focusCurrent()
  }
  const putOff = (): void => {
    if (key === null || !waiting.has(key)) return
    snooze(key, view === 'later' ? null : Date.now() + SNOOZE_MS)
    goOn()
  }
  const leave = (): void => {
    if (matchMedia('(max-width: 52rem)').matches) goTo(hrefTo(view), { replace: true })
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
    snooze: putOff,
  })
  // The form of the question may still be on its way.
  const { toolCallId } = question?.question ?? {}
  useEffect(() => {
    if (!wantsForm || !form || form.toolCallId !== toolCallId) return
    setWantsForm(false)
    form.show()
  }, [wantsForm, form, toolCallId])
  useEffect(() => {
    document.title = open.length === 0 ? 'Inbox' : `(${open.length}) Inbox`
  }, [open.length])

  const back = (
    <a className="back" href={hrefTo(view)}>
      ← {TITLES[view]}
    </a>
  )
  return (
    <div className="app" data-shows={key === null ? 'list' : 'question'}>
      <header className="top">
        <h1>
          <span className="mark" aria-hidden="true" /> Inbox
        </h1>
        <p className="sent" role="status">
          {sent}
        </p>
        <button type="button" className="plain" onClick={() => setSettingsOpen(true)}>
          Settings
        </button>
        <button type="button" className="plain" onClick={() => help.current?.showModal()}>
          Keys <kbd>?</kbd>
        </button>
      </header>
      <Warnings connection={connection} unreachable={[...unreachable.values()]} />
      <main>
        <section className="list" aria-label="Questions">
          <nav className="views" aria-label="Lists">
            {VIEWS.map((name) => (
              <a key={name} href={hrefTo(name)} aria-current={name === view ? 'page' : undefined}>
                {TITLES[name]}
                {(name === 'open' || name === 'later') && ` ${{ open, later }[name].length}`}
              </a>
            ))}
          </nav>
          <SearchField
            field={field}
            value={search}
            onChange={setSearch}
            onEnter={() => show(Math.max(0, place))}
            onLeave={focusCurrent}
          />
          <ul ref={list} className="entries" aria-label={TITLES[view]}>
            {shown.map((entry) => {
              const entryKey = keyOf(entry)
              const place = { href: hrefTo(view, entryKey), isCurrent: entryKey === key, now }
              if ('run' in entry) return <RunEntry key={entryKey} entry={entry} {...place} />
              return (
                <Entry
                  key={entryKey}
                  entry={entry}
                  dueAt={waiting.get(entryKey)?.dueAt ?? null}
                  {...(view === 'history' && {
                    detail: answerIn(entry.question),
                    ending: endingOf(entry.question, now),
                  })}
                  {...place}
                />
              )
            })}
            {view === 'history' && history.more && (
              <li>
                <button type="button" className="plain" onClick={history.more}>
                  Earlier questions
                </button>
              </li>
            )}
          </ul>
          {shown.length === 0 && connection !== 'connecting' && (
            <p className="empty">
              {(view === 'history' && history.problem) ||
                (view === 'runs' && runs.problem) ||
                (words.length > 0 ? 'Nothing matches.' : NOTHING[view])}
            </p>
          )}
        </section>
        <section key={key} className="question" aria-label="Question">
          {key === null ? (
            <p className="empty">
              {shown.length > 0
                ? `Pick a ${view === 'runs' ? 'run' : 'question'}, or press j.`
                : 'Agents that ask appear here by themselves.'}
            </p>
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
              onAnswered={({ question }, answer) => {
                setSent(sentText(question, answer))
                goOn()
              }}
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
