import { useSyncExternalStore } from 'react'

/** What the page says about what a person did last. */
export interface News {
  text: string
  isBad: boolean
  /** Takes it back. */
  undo?: () => void
}

/** How long something other than an answer can be taken back, in milliseconds. */
const UNDO_MS = 10_000

/** What can be taken back, the latest last. */
let undoable: readonly { undo: () => void; about: object }[] = []
let news: News & { about?: object } = { text: '', isBad: false }
const listeners = new Set<() => void>()

export const useNews = (): News => useSyncExternalStore(subscribe, () => news)

export const say = (text: string, { isBad = false } = {}): void => show({ text, isBad })

/**
 * Says what was done, and how it can be taken back.
 *
 * @param undo `null`: it no longer can be
 * @param about the same object for what was done
 */
export function sayWithUndo(text: string, undo: (() => void) | null, about: object): void {
  undoable = undoable.filter((other) => other.about !== about)
  // What was said since then stays.
  if (undo === null) return void (news.about === about && show({ text, isBad: false }))
  undoable = [...undoable, { undo, about }]
  show({ text, isBad: false, undo: undoLatest, about })
}

/** Says what was done on this page alone. It can be taken back for a while. */
export function sayBriefly(text: string, undo: () => void): void {
  const about = {}
  sayWithUndo(text, undo, about)
  setTimeout(() => sayWithUndo(text, null, about), UNDO_MS)
}

/** Takes back what was done last. */
export function undoLatest(): void {
  const last = undoable.at(-1)
  if (!last) return
  undoable = undoable.slice(0, -1)
  last.undo()
}

function show(next: typeof news): void {
  news = next
  for (const listener of [...listeners]) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
