import { AskError } from '@sandagent/core'
import type { ListedQuestion, ListPlace, QuestionStore, RunLogs } from '@sandagent/core/store'

/** A run, as every host of a fleet may know it. */
export interface StoredRun {
  runId: string
  /** Where its questions are. */
  namespace: string
  /** The ids of the public keys that its runner was given. Absent: it accepts unsigned answers. */
  publicKeyIds?: readonly string[]
  metadata: Readonly<Record<string, string>>
  /** Who started it, as the host was told. */
  owner?: string
  /** ISO 8601. */
  startedAt: string
  /** ISO 8601. Absent: it goes on, as far as its host has told. */
  endedAt?: string
}

/** The runs of a fleet. */
export interface RunRegistry {
  /** Stores a run that begins, or begins again. */
  put(run: StoredRun): Promise<void>
  /** Notes that a run has ended, unless it was started again since. */
  end(run: Pick<StoredRun, 'runId' | 'startedAt'> & { endedAt: string }): Promise<void>
  find(runId: string): Promise<StoredRun | null>
}

/** A question among those of all namespaces. It is a place, too: `after` may be the last question of a page. */
export interface FleetQuestion extends ListedQuestion {
  namespace: string
}

export interface FleetPlace extends ListPlace {
  namespace: string
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The order of lists: by the time of the question, then by namespace and tool call id. */
const comparePlaces = (a: FleetPlace, b: FleetPlace): number =>
  compare(a.askedAt, b.askedAt) || compare(a.namespace, b.namespace) || compare(a.toolCallId, b.toolCallId)

export interface FleetPage {
  limit?: number | undefined
  /** Default: from the first. */
  after?: FleetPlace | undefined
}

/** A page of the list of these questions, in its order. */
export const pageOf = (questions: readonly FleetQuestion[], { limit, after }: FleetPage): FleetQuestion[] =>
  questions
    .filter((question) => !after || comparePlaces(question, after) > 0)
    .sort(comparePlaces)
    .slice(0, limit)

/** What a store lists of all namespaces, or of one. */
export interface FleetListOptions extends FleetPage {
  namespace?: string | undefined
  unsettled?: boolean | undefined
}

/** The list of one namespace, by a list of all. */
export const listIn =
  (namespace: string, list: (options: FleetListOptions) => Promise<FleetQuestion[]>): QuestionStore['list'] =>
  async ({ unsettled, limit, after } = {}) => {
    const found = await list({ namespace, unsettled, limit, after: after && { ...after, namespace } })
    return found.map(({ namespace: _, ...question }) => question)
  }

/** @throws AskError `INVALID_REQUEST` for another name than up to 100 letters, digits, - and _ */
export function checkNamespace(namespace: string): string {
  if (/^[A-Za-z0-9_-]{1,100}$/.test(namespace)) return namespace
  throw new AskError('INVALID_REQUEST', 'A namespace has up to 100 letters, digits, - and _ as its name')
}

/** One service with the questions and runs of a fleet. All hosts use the same. */
export interface FleetStore {
  /** The questions of a namespace: up to 100 letters, digits, - and _. */
  questions(namespace: string): QuestionStore
  readonly runs: RunRegistry
  /** Absent: the store keeps no logs. Their sandbox has them. */
  readonly logs?: RunLogs
  /** The unsettled questions of all namespaces, by the time they were asked, then by namespace and tool call id. */
  unsettled(options?: FleetPage): Promise<FleetQuestion[]>
  /** Removes settled questions that were last written before this time, with their answers. @returns how many */
  sweep(options: { olderThanMs: number }): Promise<number>
  /** Ends all connections. Subscriptions end. */
  close(): Promise<void>
}
