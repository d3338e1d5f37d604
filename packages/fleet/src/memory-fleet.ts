import { PIECE_BYTES, refuseFull, stoppable } from '@sandagent/core/internal'
import type { QuestionStore, RecordFacts, StoredQuestion } from '@sandagent/core/store'
import {
  type FleetListOptions,
  type FleetQuestion,
  type FleetStore,
  listIn,
  pageOf,
  type StoredRun,
} from './fleet-store.ts'
import { latestChanges } from './latest-changes.ts'
import { createMemoryLogs } from './memory-logs.ts'

interface Row extends StoredQuestion {
  /** `null` while there is only an answer. */
  facts: RecordFacts | null
  /** In milliseconds since 1970. */
  changedAt: number
}

interface Namespace {
  rows: Map<string, Row>
  /** The files by tool call and name. */
  files: Map<string, Map<string, Uint8Array>>
  listeners: Set<(changed: Row) => void>
}

/**
 * A fleet in the memory of this process, for tests and for hosts that run their agents themselves. It ends with the process.
 */
export function createMemoryFleet(): FleetStore {
  const namespaces = new Map<string, Namespace>()
  const runs = new Map<string, StoredRun>()
  const closing = new AbortController()
  let writes = 0

  const questions = (namespace: string): QuestionStore => {
    const found = namespaces.get(namespace) ?? { rows: new Map(), files: new Map(), listeners: new Set() }
    const { rows, files, listeners } = found
    namespaces.set(namespace, found)
    const rowOf = (toolCallId: string): Row =>
      rows.get(toolCallId) ?? { toolCallId, record: null, answer: null, facts: null, changedAt: 0 }

    const write = async (
      row: Row,
      which: 'record' | 'answer',
      text: string,
      expected: string | null,
    ): Promise<StoredQuestion | null> => {
      if ((row[which]?.version ?? null) !== expected) return null
      writes += 1
      const written: Row = { ...row, [which]: { text, version: String(writes) }, changedAt: Date.now() }
      rows.set(row.toolCallId, written)
      for (const listener of listeners) listener(written)
      return shown(written)
    }

    return {
      read: async (toolCallIds) => toolCallIds.map((toolCallId) => shown(rowOf(toolCallId))),
      writeRecord: (toolCallId, text, { expected, facts }) =>
        write({ ...rowOf(toolCallId), facts }, 'record', text, expected),
      writeAnswer: (toolCallId, text, { expected }) => write(rowOf(toolCallId), 'answer', text, expected),
      list: listIn(namespace, async (options) => listed([[namespace, found]], options)),

      subscribe: (signal, { toolCallId: only, onlyAnswers = false } = {}) =>
        stoppable(AbortSignal.any([signal, closing.signal]), async function* (stopped) {
          const changes = latestChanges<StoredQuestion>(stopped)
          const add = (row: Row): void => {
            if (only === undefined || only === row.toolCallId) changes.take(row.toolCallId, shown(row))
          }
          if (!onlyAnswers) for (const row of rows.values()) add(row)
          listeners.add(add)
          try {
            yield* changes.lists()
          } finally {
            listeners.delete(add)
          }
        }),

      async writeFile(toolCallId, pieces, nameOf, room) {
        const refuseFullWith = (bytes: number): void => {
          const all = [...files.values()].flatMap((ofCall) => [...ofCall.values()])
          const sum = all.reduce((sum, { length }) => sum + length, bytes)
          refuseFull({ files: all.length + 1, bytes: sum }, room)
        }
        refuseFullWith(0)
        const parts: Uint8Array[] = []
        for await (const piece of pieces) parts.push(piece)
        const file = Buffer.concat(parts)
        const name = nameOf()
        refuseFullWith(file.length)
        const ofCall = files.get(toolCallId) ?? new Map<string, Uint8Array>()
        files.set(toolCallId, ofCall.set(name, file))
      },
      async readFile(toolCallId, name, offset) {
        const file = files.get(toolCallId)?.get(name)
        return file ? { size: file.length, bytes: file.slice(offset, offset + PIECE_BYTES) } : null
      },
    }
  }

  return {
    questions,
    runs: {
      async put(run) {
        runs.set(run.runId, structuredClone(run))
      },
      async end({ runId, startedAt, endedAt }) {
        const run = runs.get(runId)
        if (run?.startedAt === startedAt) runs.set(runId, { ...run, endedAt })
      },
      find: async (runId) => structuredClone(runs.get(runId) ?? null),
    },
    logs: createMemoryLogs(closing.signal),
    unsettled: async (options) => listed(namespaces, { ...options, unsettled: true }),
    async sweep({ olderThanMs }) {
      const before = Date.now() - olderThanMs
      let removed = 0
      for (const { rows, files } of namespaces.values()) {
        for (const { toolCallId, facts, changedAt } of rows.values())
          if (facts?.isSettled && changedAt < before && rows.delete(toolCallId)) removed += 1
        for (const toolCallId of files.keys()) if (!rows.has(toolCallId)) files.delete(toolCallId)
      }
      return removed
    },
    async close() {
      closing.abort()
    },
  }
}

const shown = ({ toolCallId, record, answer }: Row): StoredQuestion => ({ toolCallId, record, answer })

/** The questions of these namespaces that have a record, in their order. */
function listed(
  namespaces: Iterable<[string, Namespace]>,
  { unsettled = false, ...page }: FleetListOptions,
): FleetQuestion[] {
  const all: FleetQuestion[] = []
  for (const [namespace, { rows }] of namespaces)
    for (const row of rows.values())
      if (row.facts && !(unsettled && row.facts.isSettled))
        all.push({ namespace, ...shown(row), askedAt: row.facts.askedAt })
  return pageOf(all, page)
}
