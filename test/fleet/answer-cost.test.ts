import { connect } from '@nats-io/transport-node'
import type { RunnerChannel } from '@sandagent/core'
import { deferred } from '@sandagent/core/internal'
import { createRunnerChannel, type RunnerQuestions } from '@sandagent/core/store'
import { hasNatsServer, natsServer } from '@sandagent/fixtures/servers/nats-server.ts'
import { hasPostgres, startPostgres } from '@sandagent/fixtures/servers/postgres-server.ts'
import type { FleetStore } from '@sandagent/fleet'
import { fleetSandbox } from '@sandagent/fleet-host'
import { createNatsFleet, createNatsQuestions } from '@sandagent/nats'
import { createPostgresFleet } from '@sandagent/postgres'
import { askUser, receiptsWritten } from '@sandagent/runner'
import { createSigningKey, parseSigningKeys, submitAnswer } from '@sandagent/sdk'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'

const QUESTIONS = [{ question: 'Which language?', options: [{ label: 'TypeScript' }, { label: 'Python' }] }]

/**
 * Counts what the host asks of the server for signed answers, one after another: to a new question, and to one that it has
 * read.
 */
async function costsOf(host: FleetStore, runner: RunnerQuestions, count: () => number): Promise<number[]> {
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const publicKeyIds = signingKeys.publicKeys.keys.flatMap(({ kid = [] }) => kid)
  const run = { runId: 'run-1', namespace: 'run-1', publicKeyIds, metadata: {} }
  await host.runs.put({ ...run, startedAt: new Date().toISOString() })
  const channel = createRunnerChannel(runner)
  const naming: RunnerChannel = {
    ...channel,
    open: (record, options) => channel.open({ ...record, publicKeyIds }, options),
  }
  const costs: number[] = []
  // The first answer makes the keys of the run known.
  for (const toolCallId of ['first', 'new', 'read']) {
    const asked = deferred<void>()
    const request = { toolCallId, runId: 'run-1', questions: QUESTIONS }
    const outcome = askUser(naming, request, { onAsked: () => asked.resolve() })
    await asked.promise
    if (toolCallId === 'read') await host.questions('run-1').read([toolCallId])
    const answer = { toolCallId, status: 'completed', answers: { 'Which language?': 'Python' } } as const
    const before = count()
    await submitAnswer(fleetSandbox(host, 'run-1'), answer, { answeredBy: 'ada', signingKeys })
    costs.push(count() - before)
    expect(await outcome).toMatchObject({ kind: 'answered' })
    await receiptsWritten()
  }
  return costs.slice(1)
}

/** Counts the calls of a method. */
function counted<T extends object>(object: T, name: keyof T): () => number {
  const method = object[name] as (...of: unknown[]) => unknown
  let calls = 0
  const counting = (...of: unknown[]): unknown => {
    calls += 1
    return method.apply(object, of)
  }
  Object.assign(object, { [name]: counting })
  return () => calls
}

it.runIf(hasPostgres)(
  'an answer over Postgres is one statement, behind one that reads a new question',
  async () => {
    const server = await startPostgres()
    onTestFinished(() => server.remove())
    const pool = new pg.Pool({ connectionString: server.url() })
    const host = createPostgresFleet({ pool })
    const runners = createPostgresFleet({ connectionString: server.url() })
    onTestFinished(async () => {
      await Promise.all([host.close(), runners.close()])
      await pool.end()
    })
    expect(await costsOf(host, runners.questions('run-1'), counted(pool, 'query'))).toEqual([2, 1])
  },
)

it.runIf(hasNatsServer)('an answer over NATS is one message', async () => {
  const { url: servers } = await natsServer()
  const connection = await connect({ servers })
  onTestFinished(() => connection.close())
  const requests = counted(connection, 'request')
  const host = createNatsFleet({ connection })
  onTestFinished(() => host.close())
  await host.unsettled()
  const runner = createNatsQuestions({ servers, namespace: 'run-1' })
  onTestFinished(() => runner.close())
  // A new question may not have come to the host's view yet. Then it is read.
  expect((await costsOf(host, runner, requests)).at(-1)).toBe(1)
})
