import { useSyncExternalStore } from 'react'
import type { WaitingEntry } from './inbox-state.ts'

const STORAGE_KEY = 'sandagent inbox snoozed'

/** How long a question is out of the way, and how long before its deadline it comes back, in milliseconds. */
export const SNOOZE_MS = 60 * 60_000
const LAST_CALL_MS = 10 * 60_000

type Snoozed = Readonly<Record<string, number>>

const listeners = new Set<() => void>()
let text = read()
let snoozed: Snoozed = parsed(text)

/** The questions that the person does not want now, each with the time when it comes back. The browser keeps them. */
export const useSnoozed = (): Snoozed => useSyncExternalStore(subscribe, () => snoozed)

export const isSnoozed = ({ key, dueAt }: WaitingEntry, known: Snoozed, now: number): boolean =>
  (known[key] ?? 0) > now && (dueAt === null || dueAt - now > LAST_CALL_MS)

/** Until when a question is put off; `null` if it is not. */
export const snoozedUntil = (key: string): number | null => snoozed[key] ?? null

/** Puts a question out of the way until then, or brings it back with `null`. */
export function snooze(key: string, until: number | null): void {
  const now = Date.now()
  const rest = Object.entries(snoozed).filter(([other, time]) => other !== key && time > now)
  text = JSON.stringify(Object.fromEntries(until === null ? rest : [...rest, [key, until]]))
  try {
    localStorage.setItem(STORAGE_KEY, text)
  } catch {
    // Private windows may keep nothing: then this page remembers it.
  }
  update()
}

function subscribe(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent): void => {
    if (key !== STORAGE_KEY) return
    text = read()
    update()
  }
  listeners.add(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}

function update(): void {
  snoozed = parsed(text)
  for (const listener of [...listeners]) listener()
}

function read(): string {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? '{}'
  } catch {
    return '{}'
  }
}

function parsed(json: string): Snoozed {
  try {
    return { ...JSON.parse(json) }
  } catch {
    return {}
  }
}
