import { AskError, createWakeSignal } from '@sandagent/core/internal'
import { endOf, type RunLogs, type RunStart } from '@sandagent/core/store'
import { type BucketNames, tokenOf } from '../lib/subjects.ts'
import { lastMessage, nextMessage } from '../service/messages.ts'
import { orUnreachable, type Service } from '../service/service.ts'
import { pieceIn, pieceText } from './piece-text.ts'
import { readTail } from './read-tail.ts'

/** How often a log is looked at whose notices may have been lost, in milliseconds. */
const LOOK_MS = 1000

/** The logs of a fleet's runs in a stream of their own: each start has a subject, each piece is a message. */
export function runLogs(
  { stream, root }: BucketNames,
  service: () => Promise<Service>,
  closed: AbortSignal,
): RunLogs {
  const subjectOf = ({ runId, attempt }: RunStart): string => `${root}.${tokenOf(runId)}.${attempt}`

  const lastAttempt = (runId: string): Promise<number | null> =>
    reaching(async () => {
      const subjects = `${root}.${tokenOf(runId)}.`
      const { state } = await (await service()).jetStream<{ state: { subjects?: Record<string, number> } }>(
        `STREAM.INFO.${stream}`,
        { subjects_filter: `${subjects}*` },
      )
      const attempts = Object.keys(state.subjects ?? {}).map((name) => Number(name.slice(subjects.length)))
      return attempts.length === 0 ? null : Math.max(...attempts)
    })

  return {
    closed,

    lastAttempt,

    last: (log) =>
      reaching(async () => {
        const found = await lastMessage(await service(), stream, subjectOf(log))
        return found && pieceIn(found.data)
      }),

    tail: (log, bytes) => reaching(async () => readTail(await service(), stream, subjectOf(log), bytes)),

    append: (log, piece) =>
      reaching(async () => {
        const subject = subjectOf(log)
        const found = await lastMessage(await service(), stream, subject)
        const last = found && pieceIn(found.data)
        if (last?.ended !== undefined || piece.offset !== endOf(last)) return false
        const after = found?.sequence ?? 0
        return (await (await service()).publish(subject, pieceText(piece), { after })) !== null
      }),

    async *pieces(log, { follow, signal }) {
      const { connection, clock } = await reaching(service)
      const subject = subjectOf(log)
      const stopped = AbortSignal.any([signal, closed])
      const wake = createWakeSignal(stopped)
      /** Who follows a log waits while the servers are out of reach. */
      const orWait =
        <T>(value: T) =>
        (error: unknown): T => {
          if (follow && error instanceof AskError && error.code === 'UNREACHABLE') return value
          throw error
        }
      // Each piece is published, so a reader hears of it at once. What it reads is the stream.
      const notices = follow ? connection.subscribe(subject, { callback: wake.ring }) : null
      try {
        for (let after = 0; !stopped.aborted; ) {
          const found = await reaching(async () =>
            nextMessage(await service(), stream, subject, after + 1),
          ).catch(orWait(null))
          if (found) {
            after = found.sequence
            const piece = pieceIn(found.data)
            yield piece
            if (piece.ended !== undefined) return
          } else if (follow && ((await lastAttempt(log.runId).catch(orWait(null))) ?? 0) <= log.attempt) {
            const cancelTimer = clock.after(LOOK_MS, wake.ring)
            await wake.sleep()
            cancelTimer()
          } else return
        }
      } finally {
        notices?.unsubscribe()
      }
    },
  }
}

const reaching = <T>(work: () => Promise<T>): Promise<T> =>
  orUnreachable('The logs of runs cannot be reached', work)
