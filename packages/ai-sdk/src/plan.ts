import { AskError, digestOf } from '@sandagent/core/internal'
import type { Run } from '@sandagent/sdk'
import type { UIMessage } from 'ai'

/** What a page wants: a reply to a message, or the one that goes on. */
export interface Wish {
  message?: UIMessage | undefined
  /** The message has a reply, and is to get another one. */
  isAgain: boolean
}

/** What is known of the chat's last reply and its messages. */
export interface Facts {
  run: Pick<Run, 'state' | 'metadata'> | null
  /** Whether the last reply is in its log to the end. */
  isLogged: boolean
  saved: readonly UIMessage[]
}

/** Begins a reply, and perhaps keeps what was said of the one that was cut; or finishes the one that was cut. */
export type ReplyPlan =
  | { kind: 'reply'; message: UIMessage; keepsCut: boolean }
  | { kind: 'finish'; message: UIMessage }

/** `stream` shows the last reply; `wait` looks again, because the last reply ends at this moment; `nothing` is to be done. */
export type Plan = ReplyPlan | { kind: 'stream' } | { kind: 'wait' } | { kind: 'nothing' }

/** @throws AskError `CONFLICT` for a message that cannot be replied to now */
export function planOf({ message, isAgain }: Wish, { run, isLogged, saved }: Facts): Plan {
  const last = saved.at(-1)
  const repliesTo = run?.metadata.message
  const known = saved.find(({ id }) => id === message?.id)
  const isEdited = message && known && digestOf(known.parts) !== digestOf(message.parts)
  const isSame = message?.id === repliesTo && !isEdited

  if (run?.state === 'running') {
    if (!message || (isSame && !(isAgain && isLogged))) return { kind: 'stream' }
    if (isLogged) return { kind: 'wait' }
    throw goesOn()
  }
  // A reply is saved once it has ended.
  const isCut = last !== undefined && last.id === repliesTo
  const canFinish = isCut && run?.state === 'crashed'
  if (!message) return canFinish ? { kind: 'finish', message: last } : { kind: 'nothing' }
  if (isSame && canFinish) return { kind: 'finish', message }
  if (!known || isEdited) return { kind: 'reply', message, keepsCut: isCut }
  if (isAgain || (last === known && !isSame)) return { kind: 'reply', message, keepsCut: false }
  if (isSame) return { kind: 'stream' }
  throw new AskError(
    'CONFLICT',
    "This message has a reply. Load the page again, or pass the page's trigger for another reply",
  )
}

export const goesOn = (): AskError =>
  new AskError(
    'CONFLICT',
    'The last reply of this chat goes on. Answer or decline its question, or wait for its end',
  )
