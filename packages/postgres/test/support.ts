import type { AskError } from '@sandagent/core'
import type { QuestionStore, RecordFacts, StoredQuestion } from '@sandagent/core/store'
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '@sandagent/fixtures/servers/postgres-server.ts'
import type { FleetStore } from '@sandagent/fleet'
import pg from 'pg'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { createPostgresFleet, type PostgresFleetOptions } from '../src/index.ts'

export interface TestDatabase {
  server: PostgresServer
  /** The schema of the test: another one for each. */
  schema(): string
  /** A fleet of the test's schema, as another process has one. It ends with the test. */
  fleet(options?: PostgresFleetOptions): FleetStore
  /** A connection of its own. It ends with the test. */
  connect(user?: string): Promise<pg.Client>
}

/** Makes the tables. A busy machine may need longer than a host waits. Any other failure is a fault. */
export const makeTables = (fleet: FleetStore): Promise<unknown> =>
  fleet.unsettled().catch((error: AskError) => {
    if (!/^(55P03|TIMEOUT)$/.test(`${error.facts.reason}`)) throw error
    return makeTables(fleet)
  })

/** A server for the tests of a file. */
export function useServer(settings: readonly string[] = []): TestDatabase {
  let server: PostgresServer | undefined
  const schemas = new Map<unknown, string>()
  let count = 0
  beforeAll(async () => {
    if (hasPostgres) server = await startPostgres({ settings })
  })
  afterAll(() => server?.remove())

  const database: TestDatabase = {
    get server() {
      if (!server) throw new Error('There is no server')
      return server
    },
    schema() {
      const known = schemas.get('now')
      if (known !== undefined) return known
      count += 1
      const schema = `test_${count}`
      schemas.set('now', schema)
      onTestFinished(() => void schemas.delete('now'))
      return schema
    },
    fleet(options) {
      const { pool } = options ?? {}
      const where = pool ? {} : { connectionString: database.server.url() }
      const fleet = createPostgresFleet({ schema: database.schema(), ...where, ...options })
      onTestFinished(() => fleet.close())
      return fleet
    },
    async connect(user) {
      const client = new pg.Client(database.server.url(user))
      client.on('error', () => {})
      await client.connect()
      await client.query(`SET search_path = "${database.schema()}"`)
      onTestFinished(() => client.end())
      return client
    },
  }
  return database
}

export const facts = (more: Partial<RecordFacts> = {}): RecordFacts => ({
  runId: 'run-1',
  askedAt: '2026-01-01T00:00:00.000Z',
  isSettled: false,
  ...more,
})

/** Asks a question that was not asked before. */
export async function ask(
  store: QuestionStore,
  toolCallId: string,
  more: Partial<RecordFacts> = {},
): Promise<StoredQuestion> {
  const stored = await store.writeRecord(toolCallId, 'record', {
    expected: null,
    facts: facts(more),
  })
  if (!stored) throw new Error(`${toolCallId} was asked before`)
  return stored
}

/** Follows a subscription until the test is over. `lists` are those that came. */
export function follow(
  store: QuestionStore,
  options?: Parameters<QuestionStore['subscribe']>[1],
): { lists: (readonly StoredQuestion[])[]; stop: () => void; ended: Promise<void> } {
  const stop = new AbortController()
  const lists: (readonly StoredQuestion[])[] = []
  const run = async (): Promise<void> => {
    for await (const list of store.subscribe(stop.signal, options)) lists.push(list)
  }
  const ended = run()
  onTestFinished(() => stop.abort())
  return { lists, stop: () => stop.abort(), ended }
}
