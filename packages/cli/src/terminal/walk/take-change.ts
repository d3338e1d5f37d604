import type { InboxChange } from '@sandagent/inbox'
import type { Queue } from './queue.ts'
import { endingText, titleOf } from './texts.ts'
import { isOther, keyOf, type WaitingItem } from './waiting.ts'

/** What a change of the inbox means for a walk. */
export type Taken =
  | { kind: 'nothing' }
  /** A question waits no longer. It may be the one that is shown. */
  | { kind: 'ended'; item: WaitingItem; text: string }
  /** It is new, or goes on waiting. */
  | { kind: 'waits'; item: WaitingItem }
  /** Another question has taken its place. */
  | { kind: 'changed'; item: WaitingItem; text: string }

/** @param isOpen whether a question is open here: then its session tells how it ends */
export function takeChange(change: InboxChange, queue: Queue, isOpen: (key: string) => boolean): Taken {
  if (change.kind === 'removed') queue.removeAll(change.sandboxId)
  if (change.kind !== 'question') return { kind: 'nothing' }
  const { kind: _, ...found } = change
  const before = queue.get(keyOf(found))
  if (found.question.state !== 'open') {
    if (!before || (isOpen(before.key) && !isOther(before, found))) return { kind: 'nothing' }
    const text = endingText(found, queue.nameOf(before))
    queue.end(before)
    return { kind: 'ended', item: before, text }
  }
  const item = queue.put(found)
  if (!item) return { kind: 'nothing' }
  const text = `${queue.nameOf(item)} · has changed · ${titleOf(item)}`
  return before && isOther(before, item) ? { kind: 'changed', item, text } : { kind: 'waits', item }
}
