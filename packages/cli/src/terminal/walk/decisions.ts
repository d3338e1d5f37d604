import type { OpenQuestion } from '../session/open-session.ts'
import type { Decided, OpenEntry } from './entry.ts'

/** What was decided and has not arrived, and what can be taken back. */
export function createDecisions() {
  /** The latest last. */
  let underway: readonly Decided[] = []
  /** The latest last: decisions, and keys of questions that were put off. */
  let undoable: readonly (Decided | string)[] = []
  return {
    underway: (): readonly Decided[] => underway,
    has: (key: string): boolean =>
      underway.some(({ entries }) => entries.some(({ item }) => item.key === key)),
    add(decided: Decided): void {
      underway = [...underway, decided]
      undoable = [...undoable, decided]
    },
    addPutOff(key: string): void {
      undoable = [...undoable, key]
    },
    /** An answer has arrived, or is not sent. */
    remove(open: OpenQuestion): void {
      underway = underway.flatMap((decided) => {
        const entries = decided.entries.filter((each) => each.open !== open)
        return entries.length > 0 ? [{ ...decided, entries }] : []
      })
    },
    sendNow(): void {
      for (const { open } of underway.flatMap(({ entries }) => entries)) open.held.sendNow()
    },
    /** Takes back the last decision that is still held: its questions. Or names the one that was put off last. */
    undo(): OpenEntry[] | string | null {
      for (;;) {
        const last = undoable.at(-1)
        undoable = undoable.slice(0, -1)
        if (last === undefined) return null
        if (typeof last === 'string') return last
        const held = last.entries.filter(({ open }) => open.held.get())
        for (const { open } of held) {
          this.remove(open)
          open.held.takeBack()
        }
        if (held.length > 0) return held
      }
    },
  }
}
