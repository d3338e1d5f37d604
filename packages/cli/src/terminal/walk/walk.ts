// Why it is so: docs/decisions/0076-the-terminal-draws-the-pages-session.md

import { APPROVAL_OPTIONS, errorCode, printableLine } from '@sandagent/core/internal'
import type { InboxChange, InboxQuestion } from '@sandagent/inbox'
import { createListeners } from '../session/listeners.ts'
import type { OpenQuestion } from '../session/open-session.ts'
import { answerAll, type BatchDecision, openBatch } from './batch.ts'
import { createDecisions } from './decisions.ts'
import { type Batch, type Entry, type OpenEntry, stageOf, type WalkView } from './entry.ts'
import { createQueue } from './queue.ts'
import { takeChange } from './take-change.ts'
import { givenText, leftOutText, refusedText, saidIn, takenLines } from './texts.ts'
import type { WaitingItem } from './waiting.ts'

export type Walk = ReturnType<typeof createWalk>

/**
 * Walks through the questions that wait: one is open, others join and leave. What is decided leaves after a pause, and the walk
 * goes on meanwhile.
 *
 * @param options.open opens a question, or returns `null` where it is gone
 * @param options.onEmpty called when nothing is left to decide, and nothing is on its way
 */
export function createWalk({
  open,
  onEmpty,
}: {
  open(item: WaitingItem): Promise<OpenQuestion | null>
  onEmpty(counts: { putOff: number; decided: number }): void
}) {
  const decisions = createDecisions()
  let entry: Entry | null = null
  let batch: Batch | null = null
  let decidedCount = 0
  let isClosed = false
  const { emit, subscribe } = createListeners()
  let print = (_line: string): void => {}

  const queue = createQueue(decisions.has)
  const { nameOf } = queue
  const isShown = ({ item }: Entry): boolean => entry?.item.key === item.key

  const here = (): (Entry | null)[] => [entry, ...(batch?.entries ?? [])]
  /** Whether a session here tells how a question ends. */
  const isOpen = (key: string): boolean =>
    decisions.has(key) || here().some((each) => each?.open && each.item.key === key)

  const close = (left: Entry | null): void => {
    if (left?.open && !decisions.has(left.item.key)) void left.open.close()
  }

  /** Opens a question in the place of the one that is shown. */
  function show(item: WaitingItem | undefined): void {
    if (isClosed) return
    const left = entry
    dropBatch()
    entry = item ? { item } : null
    close(left)
    if (entry) void read(entry)
    else if (decisions.underway().length === 0) onEmpty({ putOff: queue.count(), decided: decidedCount })
    emit()
  }

  const goOn = (): void => show(queue.next(entry?.item.key))

  /** Opens a question. One that cannot be read is told, and lets others pass. */
  async function tryOpen(item: WaitingItem): Promise<OpenQuestion | null> {
    const opened = await open(item).catch((error: unknown) => {
      // Without a code it is a fault of this program.
      if (errorCode(error) === undefined) throw error
      print(`${nameOf(item)} cannot be read: ${printableLine((error as Error).message)}`)
      queue.hide(item)
      return undefined
    })
    if (opened === null) queue.end(item)
    return opened ?? null
  }

  async function read(opening: Entry): Promise<void> {
    const { item } = opening
    const opened = await tryOpen(item)
    if (entry !== opening || isClosed) void opened?.close()
    else if (!opened) goOn()
    else {
      opening.open = opened
      follow({ item, open: opened })
      emit()
    }
  }

  /** Sees what becomes of a question that is open. */
  function follow(followed: OpenEntry): void {
    const { item, open } = followed
    const stop = open.subscribe(() => {
      const stage = stageOf(open, decisions.has(item.key))
      if (stage === 'over' || stage === 'refused') stop()
      if (stage === 'refused') fail(followed)
      else if (stage === 'over') settle(followed)
      else if (stage === 'decided') decide([followed], saidIn(followed))
      else emit()
    })
  }

  /** Answers are on their way: the next question is shown. */
  function decide(entries: readonly OpenEntry[], said: string): void {
    queue.keepPlace(entries[0]?.item.key)
    decisions.add({ entries, text: givenText(entries, said, nameOf) })
    if (entries.some(isShown)) goOn()
    else emit()
  }

  /** A question has ended, here or elsewhere. */
  function settle(settled: OpenEntry): void {
    const { item, open } = settled
    if (isShown(settled)) queue.keepPlace(item.key)
    for (const line of takenLines(settled, nameOf(item))) print(line)
    if (open.hasSubmitted()) decidedCount += 1
    queue.end(item)
    leave(settled)
    if (isShown(settled)) goOn()
    else if (entry) emit()
    else show(queue.next(undefined))
  }

  /** It was not taken. It waits on, as it is now. */
  function fail(failed: OpenEntry): void {
    const { item } = failed
    print(refusedText(failed, nameOf(item)))
    leave(failed)
    if (isShown(failed) || !entry) show(queue.get(item.key) ?? queue.next(item.key))
    else emit()
  }

  function leave(left: OpenEntry): void {
    decisions.remove(left.open)
    if (batch) batch = { ...batch, entries: batch.entries.filter(({ open }) => open !== left.open) }
    void left.open.close()
  }

  function dropBatch(): void {
    for (const each of batch?.entries ?? []) if (!isShown(each)) close(each)
    batch = null
  }

  function undo(): boolean {
    const back = decisions.undo()
    if (back === null) return false
    if (typeof back === 'string') {
      const item = queue.bringBack(back)
      if (!item) return undo()
      show(item)
      return true
    }
    const [first, ...others] = back
    dropBatch()
    for (const each of [entry, ...others]) close(each)
    entry = first ?? null
    emit()
    return true
  }

  return {
    nameOf,
    undo,
    subscribe,
    getView(): WalkView {
      const [place, count] = [queue.placeOf(entry?.item.key) + 1, queue.waiting().length]
      return { entry, batch, place, count, decided: decisions.underway().at(-1) ?? null }
    },
    /** Where lines go that stay on the screen. */
    onLine(next: (line: string) => void): void {
      print = next
    },
    /** Takes what waits at first. */
    begin(found: readonly InboxQuestion[]): void {
      for (const each of found) queue.put(each)
      show(queue.next(undefined))
    },
    /** Takes a change of the inbox. */
    take(change: InboxChange): void {
      // A list of thousands is put in order anew only where it has changed.
      if (entry && queue.goesOn(change)) return
      queue.keepPlace(entry?.item.key)
      const taken = takeChange(change, queue, isOpen)
      if (taken.kind === 'nothing') return void emit()
      const { kind, item } = taken
      if (kind !== 'waits' && !decisions.has(item.key)) print(taken.text)
      const inBatch = batch?.entries.find((each) => each.item.key === item.key)
      if (kind === 'changed' && inBatch && !isShown(inBatch)) leave(inBatch)
      const isHere = entry?.item.key === item.key
      if (kind === 'ended' ? isHere : !entry || (kind === 'changed' && isHere))
        show(kind === 'ended' ? queue.next(undefined) : item)
      else emit()
    },
    move(steps: 1 | -1): boolean {
      const next = queue.waiting()[queue.placeOf(entry?.item.key) + steps]
      if (next) show(next)
      return next !== undefined
    },
    /** Puts the question off. Returns when it comes back, or `null` where there is no time for that. */
    putOff(): number | null {
      if (!entry) return null
      queue.keepPlace(entry.item.key)
      const until = queue.putOff(entry.item)
      if (until === null) return null
      decisions.addPutOff(entry.item.key)
      goOn()
      return until
    },
    /** Opens all approvals of the same tool as the one that is shown. Resolves to whether there are others. */
    async openBatch(): Promise<boolean> {
      const shown = entry
      if (!shown?.open) return false
      const opened = await openBatch({ item: shown.item, open: shown.open }, queue.waiting(), tryOpen)
      if (!opened) return false
      const others = opened.entries.filter((each) => each.open !== shown.open)
      if (entry !== shown || isClosed) for (const each of others) void each.open.close()
      else {
        others.forEach(follow)
        batch = opened
        emit()
      }
      return true
    },
    /** Gives each call of the batch the same answer, and names those that cannot have it. */
    decideBatch(decision: BatchDecision): void {
      const entries = batch?.entries ?? []
      const ready = entries.filter(({ open }) => open.session.getSnapshot().isEditable)
      for (const each of entries) if (!ready.includes(each)) print(leftOutText(each))
      if (ready.length > 0) decide(ready, APPROVAL_OPTIONS[decision].label)
      answerAll(ready, decision)
    },
    /** Does not wait any longer with what was decided. */
    sendNow: decisions.sendNow,
    closeBatch(): void {
      dropBatch()
      emit()
    },
    /** Leaves. What is held is not sent, and what is on its way arrives first. */
    async close(): Promise<void> {
      isClosed = true
      const underway = decisions.underway()
      const all = [...here(), ...underway.flatMap(({ entries }) => entries)]
      await Promise.all([...new Set(all.map((each) => each?.open))].map((each) => each?.close()))
      for (const { text } of decisions.underway()) print(`Not sent to ${text}. It waits on.`)
    },
  }
}
