import { AskError, type Clock, type OnWarning } from '@sandagent/core'
import { type MigrateOptions, migrate } from './migrate.ts'
import type { PostgresPool } from './pool.ts'
import { unreachable } from './unreachable.ts'

/** When a statement without a reply counts as failed. */
export const STATEMENT_TIMEOUT_MS = 5000

/** When a migration counts as failed, and another one is tried. */
const MIGRATION_TIMEOUT_MS = 120_000

/** Runs single statements, each in a transaction of its own. It keeps no state in a session, so a pooler may be in between. */
export class Database {
  readonly pool: PostgresPool
  readonly schema: string
  readonly onWarning: OnWarning
  readonly #clock: Clock
  readonly #options: MigrateOptions
  #ready: Promise<void> | null = null

  constructor(
    pool: PostgresPool,
    { clock, onWarning, ...options }: MigrateOptions & { clock: Clock; onWarning: OnWarning },
  ) {
    this.pool = pool
    this.schema = options.schema
    this.onWarning = onWarning
    this.#clock = clock
    this.#options = options
  }

  /** @throws AskError `UNREACHABLE` if the database fails, or does not reply in time. The statement may still happen then. */
  async query<Row>(text: string, values: unknown[]): Promise<Row[]> {
    let isLate = false
    try {
      const run = async (): Promise<Row[]> => {
        await this.#readyAtLast()
        // Nobody waits for it any more.
        if (isLate) return []
        return (await this.pool.query({ text, values, query_timeout: STATEMENT_TIMEOUT_MS })).rows
      }
      return await this.#inTime(run(), STATEMENT_TIMEOUT_MS * 2)
    } catch (error) {
      isLate = true
      throw unreachable(error)
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
      const late = new AskError('UNREACHABLE', 'The database does not reply', {
        facts: { reason: 'TIMEOUT' },
      })
      const cancel = this.#clock.after(ms, () => reject(late))
      work.then(resolve, reject).finally(cancel)
    })
  }
}
