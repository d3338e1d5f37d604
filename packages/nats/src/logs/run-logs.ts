import { headers } from '@nats-io/transport-node'
import { AskError, createWakeSignal } from '@sandagent/core/internal'
import { endOf, type RunLogs, type RunStart } from '@sandagent/fleet'
import { type BucketNames, tokenOf } from '../lib/subjects.ts'
import { lastMessage, nextMessage } from '../service/messages.ts'
import { type Service, unreachable } from '../service/service.ts'
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
    failing(async () => {
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
      failing(async () => {
        const found = await lastMessage(await service(), stream, subjectOf(log))
        return found && pieceIn(found.data)
      }),

    tail: (log, bytes) => failing(async () => readTail(await service(), stream, subjectOf(log), bytes)),

    append: (log, piece) =>
      failing(async () => {
        const subject = subjectOf(log)
        const found = await lastMessage(await service(), stream, subject)
        const last = found && pieceIn(found.data)
        if (last?.ended !== undefined || piece.offset !== endOf(last)) return false
        const header = headers()
        header.set('Nats-Expected-Last-Subject-Sequence', String(found?.sequence ?? 0))
        return (await (await service()).publish(subject, pieceText(piece), { headers: header })) !== null
      }),

    async *pieces(log, { follow, signal }) {
      const { connection, clock } = await failing(service)
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
          const found = await failing(async () =>
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

async function failing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unreachable('The logs of runs cannot be reached', error)
  }
}
