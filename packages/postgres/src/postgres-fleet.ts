import {
  AskError,
  batched,
  type Clock,
  checkOptions,
  type OnWarning,
  type OptionNames,
  sleep,
  systemClock,
} from '@sandagent/core/internal'
import type { FleetStore } from '@sandagent/fleet'
import pg from 'pg'
import { createChangeFeed } from './changes/change-feed.ts'
import { createNotifier } from './changes/notifier.ts'
import { Database, STATEMENT_TIMEOUT_MS } from './database/database.ts'
import { listQuestions } from './database/list-questions.ts'
import type { PostgresPool } from './database/pool.ts'
import { readAll } from './database/read-questions.ts'
import { type TextWrite, type WrittenRow, writeTexts } from './database/write-texts.ts'
import type { Hint, Kind } from './lib/hint.ts'
import { createQuestions, type Seen } from './questions.ts'
import { createRuns } from './runs.ts'
import { sweep } from './sweep.ts'

/** The name of a schema is also that of a channel for notifications. */
const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/

/** How many questions one statement reads, and how many such statements are under way at once. */
const READING = { atOnce: 1000, lanes: 4 }

/** The same for writing. A lock that one question waits for holds up those that are written with it. */
const WRITING = { atOnce: 16, lanes: 4 }

/** How long open connections may take to end. */
const CLOSE_MS = 1000

export interface PostgresFleetOptions {
  /** Where the database is: `postgres://USER:PASSWORD@HOST/DATABASE`. It must be the primary server. Default: `pool` */
  connectionString?: string | undefined
  /** A `Pool` of the package `pg`. `close` leaves it open. */
  pool?: PostgresPool | undefined
  /** The schema of the tables. Default `sandagent` */
  schema?: string | undefined
  /**
   * Whether one connection of this process listens for notifications. `false` behind a pooler in transaction mode: changes are
   * found by polling then. Default true
   */
  listen?: boolean | undefined
  /** How often a subscription looks for changes. Default 1000, and 250 without `listen` */
  pollMs?: number | undefined
  /** Whether missing tables are made. Default true */
  migrate?: boolean | undefined
  /** Called when a subscription begins to fail, and for rows that cannot be read. It goes on. */
  onWarning?: OnWarning | undefined
  clock?: Clock | undefined
}

const NAMES: OptionNames<PostgresFleetOptions> = {
  connectionString: true,
  pool: true,
  schema: true,
  listen: true,
  pollMs: true,
  migrate: true,
  onWarning: 'function',
  clock: 'clock',
}

/**
 * The questions, answers and runs of a fleet in Postgres 13 or newer. It connects with the first call.
 *
 * @throws AskError `INVALID_REQUEST` for options that cannot be meant
 */
export function createPostgresFleet(options: PostgresFleetOptions): FleetStore {
  checkOptions('createPostgresFleet', options, NAMES)
  const {
    schema = 'sandagent',
    listen = true,
    migrate = true,
    onWarning = () => {},
    clock = systemClock,
  } = options
  if (!SCHEMA.test(schema))
    throw new AskError('INVALID_REQUEST', 'The schema has up to 63 small letters, digits and _')
  const { pool, end } = poolOf(options, clock)
  const database = new Database(pool, { schema, migrate, prepares: listen, clock, onWarning })
  const closing = new AbortController()
  const feed = createChangeFeed(
    database,
    { listen, pollMs: options.pollMs, onWarning, clock },
    closing.signal,
  )
  const notifier = createNotifier(database)
  const writing = (kind: Kind): ((write: TextWrite) => Promise<WrittenRow>) =>
    batched((writes) => writeTexts(database, kind, writes), WRITING)
  // The role of a process may lack the right to one of the tables. That must not fail its writes to the other one.
  const writeOne = { q: writing('q'), a: writing('a') }
  const readOne = batched((asked: readonly Hint[]) => readAll(database, asked), READING)
  const seen: Seen = new Map()
  const statements = { database, feed, notifier, readOne, writeOne, seen }

  let closed: Promise<void> | null = null
  const close = async (): Promise<void> => {
    closing.abort()
    await notifier.done()
    await end()
  }

  return {
    questions: (namespace) => createQuestions(namespace, statements),
    runs: createRuns(database),
    unsettled: (given) => listQuestions(database, { ...given, unsettled: true }),
    sweep: ({ olderThanMs }) => sweep(database, olderThanMs),
    close() {
      closed ??= close()
      return closed
    },
  }
}

function poolOf(
  { connectionString, pool }: PostgresFleetOptions,
  clock: Clock,
): { pool: PostgresPool; end: () => Promise<void> } {
  if ((pool === undefined) === (connectionString === undefined))
    throw new AskError('INVALID_REQUEST', 'createPostgresFleet needs either connectionString or pool')
  if (pool) return { pool, end: async () => {} }
  const own = new pg.Pool({
    connectionString,
    connectionTimeoutMillis: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'sandagent',
  })
  // An idle connection was lost. The next statement gets another one.
  own.on('error', () => {})
  return { pool: own, end: () => Promise.race([own.end(), sleep(clock, CLOSE_MS)]) }
}
