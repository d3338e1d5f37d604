import {
  type Approval,
  type Clock,
  deadlineOf,
  type QuestionRecord,
  type RunnerChannel,
  sleep,
} from '@sandagent/core'
import { type Ending, type Reading, readApproval } from './ending.ts'

/** What ended a wait: a person's decision, the deadline with the draft that was there, or the signal. */
export type WaitResult =
  | { kind: 'decided'; ending: Ending }
  | { kind: 'timed-out' | 'aborted'; draft: Approval | null }

export interface WaitOptions {
  signal: AbortSignal | undefined
  clock: Clock
  /** Told of each approval that cannot be the answer. */
  onRefused: (refused: Reading & { kind: 'refused' }) => void
}

/** The pause before a channel that stopped telling of answers is listened to again, so that nothing spins. */
const LISTEN_AGAIN_MS = 100

/** Waits until a person answers or declines, the time runs out, or the signal aborts. */
export async function waitForAnswer(
  channel: RunnerChannel,
  record: QuestionRecord,
  { signal, clock, onRefused }: WaitOptions,
): Promise<WaitResult> {
  const latest: { draft: Approval | null } = { draft: null }

  const take = (approval: Approval | null): WaitResult | null => {
    const reading = approval && readApproval(record, approval)
    if (reading?.kind === 'draft') latest.draft = reading.draft
    if (reading?.kind === 'refused') onRefused(reading)
    return reading?.kind === 'ending' ? { kind: 'decided', ending: reading.ending } : null
  }

  let deadline = deadlineOf(record, undefined, clock.now())
  while (true) {
    for await (const approval of approvalsUntil(channel, record.toolCallId, { deadline, signal, clock })) {
      const decided = take(approval)
      if (decided) return decided
    }
    if (signal?.aborted) return { kind: 'aborted', draft: latest.draft }
    // A draft moves the deadline, also one of the last moment that was not noticed yet.
    const decided = take(await channel.read(record.toolCallId))
    if (decided) return decided
    const now = clock.now()
    deadline = deadlineOf(record, latest.draft?.timestamp, now)
    if (deadline !== null && deadline <= now) return { kind: 'timed-out', draft: latest.draft }
  }
}

/** The approvals of a question until `deadline`, in milliseconds since 1970, or until the signal aborts. */
async function* approvalsUntil(
  channel: RunnerChannel,
  toolCallId: string,
  { deadline, signal, clock }: { deadline: number | null; signal: AbortSignal | undefined; clock: Clock },
): AsyncGenerator<Approval> {
  const stop = new AbortController()
  const end = (): void => stop.abort()
  const cancelTimer = deadline === null ? undefined : clock.after(deadline - clock.now(), end)
  signal?.addEventListener('abort', end)
  try {
    if (signal?.aborted) end()
    yield* channel.answers(toolCallId, stop.signal)
    if (!stop.signal.aborted) await sleep(clock, LISTEN_AGAIN_MS, stop.signal)
  } finally {
    cancelTimer?.()
    signal?.removeEventListener('abort', end)
    end()
  }
}
