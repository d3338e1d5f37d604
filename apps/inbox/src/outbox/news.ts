import { useSyncExternalStore } from 'react'

/** What the page says about what a person did last. */
export interface News {
  text: string
  isBad: boolean
  /** Takes it back. */
  undo?: () => void
  /** The same object for all that is said of one thing. */
  about?: object
}

/** How long something other than an answer can be taken back, in milliseconds. */
const UNDO_MS = 10_000

/** How long a person reads what asks nothing of them, in milliseconds. */
const READ_MS = 6_000

const NOTHING: News = { text: '', isBad: false }

/** What can be taken back, the latest last. */
let undoable: readonly { undo: () => void; about: object }[] = []
let news = NOTHING
let fading: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

export const useNews = (): News => useSyncExternalStore(subscribe, () => news)

export const say = (text: string): void => show({ text, isBad: false })

/** Says what was done, and how it can be taken back. */
export function sayWithUndo(text: string, undo: () => void, about: object): void {
  undoable = [...undoable, { undo, about }]
  show({ text, isBad: false, undo: undoLatest, about })
}

/** Says what became of something, which can no longer be taken back. */
export function sayOutcome(text: string, about: object, { isBad = false } = {}): void {
  forgetUndo(about)
  // What else went wrong since then stays, and what can still be taken back.
  const mayReplace = news.about === about || !(news.undo || news.isBad)
  if (isBad || mayReplace) show({ text, isBad, about })
}

/** Says what was done on this page alone. It can be taken back for a while. */
export function sayBriefly(text: string, undo: () => void): void {
  const about = {}
  sayWithUndo(text, undo, about)
  setTimeout(() => {
    forgetUndo(about)
    if (news.about === about) show({ text, isBad: false })
  }, UNDO_MS)
}

function forgetUndo(about: object): void {
  undoable = undoable.filter((other) => other.about !== about)
}

/** Takes back what was done last. */
export function undoLatest(): void {
  const last = undoable.at(-1)
  if (!last) return
  undoable = undoable.slice(0, -1)
  last.undo()
}

function show(next: News): void {
  clearTimeout(fading)
  news = next
  // What went wrong stays until something else is said.
  if (next !== NOTHING && !next.isBad && !next.undo) fading = setTimeout(() => show(NOTHING), READ_MS)
  for (const listener of [...listeners]) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
