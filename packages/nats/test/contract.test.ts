import { fileURLToPath } from 'node:url'
import type { QuestionStore } from '@sandagent/core/store'
import { hasNatsServer, type NatsServer, natsServer } from '@sandagent/fixtures/servers/nats-server.ts'
import { storeContract } from '@sandagent/testing'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { createNatsFleet, createNatsQuestions, natsAccounts, runnerAccess } from '../src/index.ts'

const module = fileURLToPath(new URL('host-store.mjs', import.meta.url))
const secret = 'a secret of at least 32 characters'
const login = { user: 'host', password: 'of the host' }
const facts = { runId: 'run-1', askedAt: '2026-01-01T00:00:00.000Z', isSettled: false }

describe.runIf(hasNatsServer)('a store over NATS', () => {
  const ends: (() => Promise<void>)[] = []
  let server: NatsServer
  let count = 0
  beforeAll(async () => {
    server = await natsServer({ config: 'max_payload: 8MB', cleanUp: (end) => ends.push(end) })
  })
  afterAll(() => ends.pop()?.())

  async function makeStore() {
    const namespace = `n${++count}`
    const servers = server.url
    const fleets = [createNatsFleet({ servers })]
    const store = fleets[0]?.questions(namespace) as ReturnType<(typeof fleets)[0]['questions']>
    await store.read([])
    const runners = [createNatsQuestions({ servers, namespace })]
    return {
      args: [servers, namespace],
      fleets,
      runners,
      store,
      host: () => store,
      runner: () => runners[0] as (typeof runners)[0],
    }
  }

  const cases = storeContract(makeStore, {
    async remove({ fleets, runners }) {
      await Promise.all([...fleets, ...runners].map((each) => each.close()))
    },
    beside({ fleets, runners }) {
      const namespace = `n${++count}`
      const runner = createNatsQuestions({ servers: server.url, namespace })
      runners.push(runner)
      return { host: () => fleets[0]?.questions(namespace) as QuestionStore, runner: () => runner }
    },
    async sweep({ fleets }) {
      await fleets[0]?.sweep({ olderThanMs: -1000 })
    },
    hostProcess: ({ args }) => ({ module, args }),
    async putAnswer({ store }, toolCallId, text) {
      const [stored] = await store.read([toolCallId])
      await store.writeAnswer(toolCallId, text, { expected: stored?.answer?.version ?? null })
    },
    async putRecord({ store }, toolCallId, text) {
      const [stored] = await store.read([toolCallId])
      await store.writeRecord(toolCallId, text, { expected: stored?.record?.version ?? null, facts })
    },
  })
  for (const { name, run } of cases) test(name, run)
})

describe.runIf(hasNatsServer)('a store over NATS with the credentials of one run', () => {
  const ends: (() => Promise<void>)[] = []
  let server: NatsServer
  let count = 0
  const accesses = Array.from({ length: 100 }, (_, n) => runnerAccess({ namespace: `n${n}`, secret }))
  beforeAll(async () => {
    const runners = accesses.map((access) => ({ user: access.namespace, password: access.pass, access }))
    const config = natsAccounts({ hosts: [login], runners })
    server = await natsServer({ config, cleanUp: (end) => ends.push(end) })
  })
  afterAll(() => ends.pop()?.())

  const besides: Awaited<ReturnType<typeof makeStore>>[] = []
  async function makeStore() {
    const { namespace, pass, inboxPrefix } = accesses[count++] as (typeof accesses)[0]
    const servers = server.url
    const fleet = createNatsFleet({ servers, secret, ...login })
    const store = fleet.questions(namespace)
    await store.read([])
    const own = createNatsQuestions({
      servers,
      namespace,
      pass,
      inboxPrefix,
      user: namespace,
      password: pass,
    })
    return {
      fleet,
      own,
      host: () => store,
      runner: () => own,
    }
  }

  const cases = storeContract(makeStore, {
    async remove({ fleet, own }) {
      await Promise.all([own.close(), fleet.close()])
      for (const other of besides.splice(0)) await Promise.all([other.own.close(), other.fleet.close()])
    },
    async beside() {
      const other = await makeStore()
      besides.push(other)
      return other
    },
    async sweep({ fleet }) {
      await fleet.sweep({ olderThanMs: -1000 })
    },
  })
  for (const { name, run } of cases) test(name, run)
})
