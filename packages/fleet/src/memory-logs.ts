import { createWakeSignal } from '@sandagent/core/internal'
import { endOf, type LogPiece, type RunLogs, type RunStart } from '@sandagent/core/store'

export function createMemoryLogs(closed: AbortSignal): RunLogs {
  /** By run, then by start. */
  const logs = new Map<string, Map<number, LogPiece[]>>()
  const listeners = new Set<() => void>()
  const piecesOf = ({ runId, attempt }: RunStart): LogPiece[] => logs.get(runId)?.get(attempt) ?? []

  return {
    closed,

    async lastAttempt(runId) {
      const attempts = [...(logs.get(runId)?.keys() ?? [])]
      return attempts.length === 0 ? null : Math.max(...attempts)
    },
    last: async (log) => piecesOf(log).at(-1) ?? null,
    async tail(log, bytes) {
      const pieces = piecesOf(log)
      const from = endOf(pieces.at(-1) ?? null) - bytes
      return Buffer.concat(pieces.filter((piece) => endOf(piece) > from).map((piece) => piece.bytes))
    },
    async append(log, piece) {
      const last = piecesOf(log).at(-1) ?? null
      if (last?.ended !== undefined || piece.offset !== endOf(last)) return false
      const ofRun = logs.get(log.runId) ?? new Map<number, LogPiece[]>()
      logs.set(log.runId, ofRun.set(log.attempt, [...piecesOf(log), structuredClone(piece)]))
      for (const listener of listeners) listener()
      return true
    },
    async *pieces(log, { follow, signal }) {
      const stopped = AbortSignal.any([signal, closed])
      const wake = createWakeSignal(stopped)
      listeners.add(wake.ring)
      try {
        for (let n = 0; !stopped.aborted; ) {
          const piece = piecesOf(log)[n]
          if (piece) {
            n++
            yield piece
            if (piece.ended !== undefined) return
          } else if (!follow || [...(logs.get(log.runId)?.keys() ?? [])].some((other) => other > log.attempt))
            return
          else await wake.sleep()
        }
      } finally {
        listeners.delete(wake.ring)
      }
    },
  }
}
