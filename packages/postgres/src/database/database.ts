import { createHash } from 'node:crypto'
import { AskError, type Clock, errorCode, type OnWarning, rememberByText } from '@sandagent/core/internal'
import { type MigrateOptions, migrate } from './migrate.ts'
import type { PostgresPool, PostgresQuery } from './pool.ts'
import { unreachable } from './unreachable.ts'

/** When a statement without a reply counts as failed. */
export const STATEMENT_TIMEOUT_MS = 5000

/** When a migration counts as failed, and another one is tried. */
const MIGRATION_TIMEOUT_MS = 120_000

interface DatabaseOptions extends MigrateOptions {
  /** Whether a connection keeps its state, so that statements can be prepared. `false` for a pooler in transaction mode. */
  prepares: boolean
  clock: Clock
  onWarning: OnWarning
}

/**
 * What a server says when a prepared statement cannot be used: a pooler in transaction mode has passed on another connection
 * (26000, 42P05), or a newer version has changed what the statement returns (0A000).
 */
const NOT_PREPARED: ReadonlySet<unknown> = new Set(['26000', '42P05', '0A000'])

/** Runs single statements, each in a transaction of its own. */
export class Database {
  readonly pool: PostgresPool
  readonly schema: string
  readonly onWarning: OnWarning
  readonly #clock: Clock
  readonly #options: MigrateOptions
  #prepares: boolean
  #ready: Promise<void> | null = null

  constructor(pool: PostgresPool, { prepares, clock, onWarning, ...options }: DatabaseOptions) {
    this.pool = pool
    this.schema = options.schema
    this.onWarning = onWarning
    this.#prepares = prepares
    this.#clock = clock
    this.#options = options
  }

  /**
   * @param options.isFrequent plans the statement once for each connection
   * @throws AskError `UNREACHABLE` if the database fails, or does not reply in time. The statement may still happen then.
   */
  async query<Row>(
    text: string,
    values: unknown[],
    { isFrequent = false }: { isFrequent?: boolean } = {},
  ): Promise<Row[]> {
    let isLate = false
    const run = async (): Promise<Row[]> => {
      await this.#readyAtLast()
      // Nobody waits for it any more.
      if (isLate) return []
      return this.#run({ text, values, query_timeout: STATEMENT_TIMEOUT_MS }, isFrequent)
    }
    try {
      return await this.#inTime(run(), STATEMENT_TIMEOUT_MS * 2)
    } catch (error) {
      isLate = true
      throw unreachable(error)
    }
  }

  async #run<Row>(query: PostgresQuery, isFrequent: boolean): Promise<Row[]> {
    if (!isFrequent || !this.#prepares) return (await this.pool.query(query)).rows
    try {
      return (await this.pool.query({ ...query, name: nameOf(query.text) })).rows
    } catch (error) {
      if (!NOT_PREPARED.has(errorCode(error))) throw error
      // The statement did not happen.
      this.#prepares = false
      return (await this.pool.query(query)).rows
    }
  }

  /** Resolves when the tables are there. @throws AskError `UNREACHABLE` if that fails, or takes too long */
  ready(): Promise<void> {
    return this.#inTime(this.#readyAtLast(), STATEMENT_TIMEOUT_MS * 2)
  }

  /** Longer than callers wait: making tables may take that long. A failure is not remembered. */
  #readyAtLast(): Promise<void> {
    this.#ready ??= this.#inTime(migrate(this.pool, this.#options), MIGRATION_TIMEOUT_MS).catch(
      (error: unknown) => {
        this.#ready = null
        throw unreachable(error)
      },
    )
    return this.#ready
  }

  /** Waiting for a free connection counts too: a pool of the caller may have no limit for that. */
  #inTime<T>(work: Promise<T>, ms: number): Promise<T> {
    return new Promise((resolve, reject) => {
      // A busy process reads first what has come. The limit of the client itself, STATEMENT_TIMEOUT_MS, does not wait for that.
      const cancel = this.#clock.after(ms, () => setImmediate(() => reject(lateBy(ms))))
      work.then(resolve, reject).finally(cancel)
    })
  }
}

const lateBy = (ms: number): AskError =>
  new AskError(
    'UNREACHABLE',
    `The database has not replied within ${ms} ms. Look whether it runs, and whether all connections of the pool are taken`,
    { facts: { reason: 'TIMEOUT' } },
  )

/** The name of a prepared statement: the same for the same text everywhere, because databases may share a pool. */
const nameOf = rememberByText((text) => createHash('sha256').update(text).digest('base64url'))
