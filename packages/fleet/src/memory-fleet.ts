import { createWakeSignal, stoppable } from '@sandagent/core/internal'
import type {
  ListedQuestion,
  ListPlace,
  QuestionStore,
  RecordFacts,
  StoredQuestion,
  StoreListOptions,
} from '@sandagent/core/store'
import type { FleetQuestion, FleetStore, RunRegistry, StoredRun } from './fleet-store.ts'
import { createMemoryLogs } from './memory-logs.ts'

interface Row extends StoredQuestion {
  namespace: string
  facts: RecordFacts | null
  /** In milliseconds since 1970. */
  changedAt: number
}

/** A fleet in the memory of this process, for tests and for hosts that run their agents themselves. It ends with the process. */
export function createMemoryFleet(): FleetStore {
  const namespaces = new Map<string, MemoryQuestions>()
  const runs = new Map<string, StoredRun>()
  const closing = new AbortController()

  const questions = (namespace: string): MemoryQuestions => {
    const found = namespaces.get(namespace) ?? new MemoryQuestions(namespace, closing.signal)
    namespaces.set(namespace, found)
    return found
  }

  const registry: RunRegistry = {
    async put(run) {
      runs.set(run.runId, structuredClone(run))
    },
    async end({ runId, startedAt, endedAt }) {
      const run = runs.get(runId)
      if (run?.startedAt === startedAt) runs.set(runId, { ...run, endedAt })
    },
    async find(runId) {
      return structuredClone(runs.get(runId) ?? null)
    },
  }

  return {
    questions,
    runs: registry,
    logs: createMemoryLogs(closing.signal),
    async unsettled({ limit, after } = {}) {
      const all = [...namespaces.values()].flatMap((each) => each.listed({ unsettled: true }))
      return page(
        all.sort(byPlace),
        limit,
        after && ((row) => byPlace(row, { ...after, facts: after }) > 0),
      ).map(listedFleet)
    },
    async sweep({ olderThanMs }) {
      const before = Date.now() - olderThanMs
      return [...namespaces.values()].reduce((sum, each) => sum + each.sweep(before), 0)
    },
    async close() {
      closing.abort()
    },
  }
}

type Placed = { namespace: string; toolCallId: string; facts: Pick<RecordFacts, 'askedAt'> | null }

function byPlace(a: Placed, b: Placed): number {
  const [one, other] = [a, b].map(({ facts, namespace, toolCallId }) => [
    facts?.askedAt ?? '',
    namespace,
    toolCallId,
  ]) as [string[], string[]]
  for (const [index, text] of one.entries())
    if (text !== other[index]) return text < (other[index] as string) ? -1 : 1
  return 0
}

function page(rows: readonly Row[], limit: number | undefined, isAfter?: (row: Row) => boolean): Row[] {
  return (isAfter ? rows.filter(isAfter) : rows).slice(0, limit)
}

const shown = ({ toolCallId, record, answer }: Row): StoredQuestion => ({ toolCallId, record, answer })

const listed = (row: Row): ListedQuestion => ({ ...shown(row), askedAt: row.facts?.askedAt ?? '' })

const listedFleet = (row: Row): FleetQuestion => ({ namespace: row.namespace, ...listed(row) })

class MemoryQuestions implements QuestionStore {
  readonly #namespace: string
  readonly #closed: AbortSignal
  readonly #rows = new Map<string, Row>()
  readonly #listeners = new Set<(toolCallId: string) => void>()
  #writes = 0

  constructor(namespace: string, closed: AbortSignal) {
    this.#namespace = namespace
    this.#closed = closed
  }

  #row(toolCallId: string): Row {
    const nothing = { record: null, answer: null, facts: null, changedAt: 0 }
    return this.#rows.get(toolCallId) ?? { namespace: this.#namespace, toolCallId, ...nothing }
  }

  #write(
    toolCallId: string,
    which: 'record' | 'answer',
    text: string,
    expected: string | null,
    facts?: RecordFacts,
  ): StoredQuestion | null {
    const row = this.#row(toolCallId)
    if ((row[which]?.version ?? null) !== expected) return null
    this.#writes += 1
    const written: Row = {
      ...row,
      [which]: { text, version: String(this.#writes) },
      facts: facts ?? row.facts,
      changedAt: Date.now(),
    }
    this.#rows.set(toolCallId, written)
    for (const listener of this.#listeners) listener(toolCallId)
    return shown(written)
  }

  listed({ unsettled = false }: StoreListOptions): Row[] {
    return [...this.#rows.values()].filter(({ facts }) => facts && !(unsettled && facts.isSettled))
  }

  sweep(before: number): number {
    const old = [...this.#rows.values()].filter(
      ({ facts, changedAt }) => facts?.isSettled && changedAt < before,
    )
    for (const { toolCallId } of old) this.#rows.delete(toolCallId)
    return old.length
  }

  async read(toolCallIds: readonly string[]): Promise<StoredQuestion[]> {
    return toolCallIds.map((toolCallId) => shown(this.#row(toolCallId)))
  }

  async writeRecord(
    toolCallId: string,
    text: string,
    { expected, facts }: { expected: string | null; facts: RecordFacts },
  ): Promise<StoredQuestion | null> {
    return this.#write(toolCallId, 'record', text, expected, facts)
  }

  async writeAnswer(
    toolCallId: string,
    text: string,
    { expected }: { expected: string | null },
  ): Promise<StoredQuestion | null> {
    return this.#write(toolCallId, 'answer', text, expected)
  }

  async list(options: StoreListOptions = {}): Promise<ListedQuestion[]> {
    const { limit, after } = options
    const place = after && { ...after, namespace: this.#namespace, facts: after satisfies Partial<ListPlace> }
    return page(this.listed(options).sort(byPlace), limit, place && ((row) => byPlace(row, place) > 0)).map(
      listed,
    )
  }

  subscribe(
    signal: AbortSignal,
    {
      toolCallId: only,
      onlyNew = false,
    }: { toolCallId?: string | undefined; onlyNew?: boolean | undefined } = {},
  ): AsyncIterable<readonly StoredQuestion[]> {
    return stoppable(AbortSignal.any([signal, this.#closed]), (stopped) =>
      this.#changes(stopped, only, onlyNew),
    )
  }

  async *#changes(
    stopped: AbortSignal,
    only: string | undefined,
    onlyNew: boolean,
  ): AsyncGenerator<readonly StoredQuestion[], void> {
    const wake = createWakeSignal(stopped)
    const isMeant = (toolCallId: string): boolean => only === undefined || only === toolCallId
    const due = new Set<string>(onlyNew ? [] : [...this.#rows.keys()].filter(isMeant))
    const listen = (toolCallId: string): void => {
      if (!isMeant(toolCallId)) return
      due.add(toolCallId)
      wake.ring()
    }
    this.#listeners.add(listen)
    try {
      while (!stopped.aborted) {
        const changed = [...due].map((toolCallId) => shown(this.#row(toolCallId)))
        due.clear()
        yield changed
        if (due.size === 0) await wake.sleep()
      }
    } finally {
      this.#listeners.delete(listen)
    }
  }
}
