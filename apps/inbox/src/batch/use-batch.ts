import { decisionOf, optionValue } from '@sandagent/core/internal'
import { useMemo, useRef, useState } from 'react'
import type { InboxState, WaitingEntry } from '../data/inbox-state.ts'
import { say } from '../outbox/news.ts'

/** Approvals of one kind that a person decides together. */
export interface Batch {
  /** The calls as they were selected. */
  calls: readonly WaitingEntry[]
  /** How many selected calls have changed or no longer wait: they are not decided. */
  leftOut: number
  isSelected(key: string): boolean
  /** Selects an approval, or takes it out. With `isRange`, selects all of its kind from the last one to it. */
  toggle(entry: WaitingEntry, isRange: boolean): void
  clear(): void
}

/**
 * The approvals that a person has selected. A call counts only as it was when it was selected.
 *
 * @param shown the entries of the list, in their order
 */
export function useBatch(
  waiting: InboxState['waiting'],
  decided: ReadonlySet<string>,
  shown: readonly object[],
): Batch {
  const [selected, setSelected] = useState<ReadonlyMap<string, WaitingEntry>>(new Map())
  const last = useRef<WaitingEntry | null>(null)
  return useMemo(() => {
    const isSame = ({ key, question }: WaitingEntry): boolean => {
      const now = waiting.get(key)?.question
      return (
        now !== undefined &&
        now.questionDigest === question.questionDigest &&
        now.askedAt === question.askedAt
      )
    }
    const undecided = [...selected.values()].filter(({ key }) => !decided.has(key))
    const calls = undecided.filter(isSame)
    return {
      calls,
      leftOut: undecided.length - calls.length,
      isSelected: (key) => selected.has(key),
      toggle(entry, isRange) {
        const kind = kindOf(entry)
        const [first] = calls
        if (kind === null) return say(whyAlone(entry))
        const next = new Map(selected)
        if (next.has(entry.key) && !isRange) next.delete(entry.key)
        else if (first && kindOf(first) !== kind)
          return say('Only calls of the same tool are decided together')
        else {
          const ends = [last.current ?? entry, entry].map((end) => shown.indexOf(end))
          const range = isRange ? shown.slice(Math.max(0, Math.min(...ends)), Math.max(...ends) + 1) : [entry]
          for (const each of range as WaitingEntry[]) if (kindOf(each) === kind) next.set(each.key, each)
        }
        last.current = entry
        setSelected(next)
      },
      clear() {
        last.current = null
        setSelected(new Map())
      },
    }
  }, [waiting, decided, selected, shown])
}

const whyAlone = ({ question }: WaitingEntry): string => {
  if (question.kind !== 'approval') return 'Only approvals are decided together'
  return question.rule?.passkey
    ? 'A passkey signs for one call, so this one is decided by itself'
    : 'This call is decided by itself'
}

/** Approvals are decided together if this is the same; `null` for what is decided by itself. */
export function kindOf({ question }: WaitingEntry): string | null {
  const { kind, subject, questions, questionDigest, mayAnswer, state, rule } = question
  const [asked] = questions
  if (kind !== 'approval' || !subject || !asked || questions.length > 1 || questionDigest === undefined)
    return null
  const decisions = (asked.options ?? []).map((option) => decisionOf(optionValue(option)))
  if (
    state !== 'open' ||
    mayAnswer === false ||
    // A passkey signs for one call.
    rule?.passkey ||
    !decisions.includes('allowOnce') ||
    !decisions.includes('deny')
  )
    return null
  return subject.toolName
}
