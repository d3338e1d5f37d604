import { join } from 'node:path'
import { hasPostgres } from '@sandagent/fixtures/servers/postgres-server.ts'
import type { FleetStore } from '@sandagent/fleet'
import { type StoreHalves, storeContract } from '@sandagent/testing'
import pg from 'pg'
import { describe, it } from 'vitest'
import { createPostgresFleet, type PostgresFleetOptions } from '../src/index.ts'
import { facts, useServer } from './support.ts'

interface PostgresHalves extends StoreHalves {
  namespace: string
  fleets: FleetStore[]
}

describe.runIf(hasPostgres).each([
  ['with notifications', {}],
  ['by polling alone', { listen: false, pollMs: 20 }],
] satisfies [string, PostgresFleetOptions][])('a store over Postgres, %s', (_name, options) => {
  const database = useServer()
  // Making the tables takes longer than most cases.
  const schema = 'contract'
  let count = 0

  const makeStore = (): PostgresHalves => {
    count += 1
    const namespace = `case-${count}`
    const fleets: FleetStore[] = []
    const questions = () => {
      const fleet = createPostgresFleet({ connectionString: database.server.url(), schema, ...options })
      fleets.push(fleet)
      return fleet.questions(namespace)
    }
    return {
      namespace,
      fleets,
      runner: questions,
      host: questions,
    }
  }

  const withStore = async ({ namespace }: PostgresHalves, use: (store: Store) => Promise<unknown>) => {
    const fleet = createPostgresFleet({ connectionString: database.server.url(), schema })
    await use(fleet.questions(namespace)).finally(() => fleet.close())
  }
  type Store = ReturnType<FleetStore['questions']>

  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client(database.server.url())
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }

  const cases = storeContract(makeStore, {
    remove: async ({ fleets }) => {
      for (const fleet of fleets) await fleet.close()
    },
    beside: (halves) => {
      const store = (halves.fleets[0] as FleetStore).questions(`${halves.namespace}-beside`)
      return { runner: () => store, host: () => store }
    },
    async sweep({ fleets }) {
      await fleets[0]?.sweep({ olderThanMs: -1000 })
    },
    hostProcess: ({ namespace }) => ({
      module: join(import.meta.dirname, 'host-store.mjs'),
      args: [database.server.url(), schema, namespace],
    }),
    putAnswer: (halves, toolCallId, text) =>
      withStore(halves, async (store) => {
        const [stored] = await store.read([toolCallId])
        await store.writeAnswer(toolCallId, text, { expected: stored?.answer?.version ?? null })
      }),
    putRecord: (halves, toolCallId, text) =>
      withStore(halves, async (store) => {
        const [stored] = await store.read([toolCallId])
        const expected = stored?.record?.version ?? null
        await store.writeRecord(toolCallId, text, { expected, facts: facts() })
      }),
    async hideAnswer() {
      await run(`ALTER TABLE ${schema}.answers RENAME TO hidden`)
      return () => run(`ALTER TABLE ${schema}.hidden RENAME TO answers`)
    },
  })
  for (const { name: what, run: check } of cases) it(what, check)
})
