import { connect } from '@nats-io/transport-node'
import type { Clock } from '@sandagent/core'
import { hasNatsServer, natsServer } from '@sandagent/fixtures/servers/nats-server.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createNatsFleet, runnerAccess } from '../src/index.ts'
import { runConsumer } from '../src/view/running-consumer.ts'

const SECRET = 'a secret of at least 32 characters'
const UNREACHABLE = { code: 'UNREACHABLE' }

it.runIf(hasNatsServer)('a consumer over a closed connection leaves no timer', async () => {
  const { url } = await natsServer()
  const connection = await connect({ servers: url })
  await connection.close()
  const after = vi.fn<Clock['after']>(() => () => {})
  const consume = () =>
    runConsumer({
      service: { connection, clock: { now: Date.now, after } },
      deliver: 'place',
      heartbeatMs: 1,
      onHeard: () => {},
    })
  expect(consume).toThrow('closed')
  expect(after).not.toHaveBeenCalled()
})

it.runIf(hasNatsServer)(
  'a connection that has ended for good is opened again',
  { timeout: 120_000 },
  async () => {
    const authorization = (password: string) => `authorization { user: host, password: "${password}" }`
    const server = await natsServer({ config: authorization('right') })
    const fleet = createNatsFleet({ servers: server.url, user: 'host', password: 'right' })
    onTestFinished(() => fleet.close())
    const questions = fleet.questions('a')
    await questions.writeAnswer('t1', 'answer', { expected: null })
    const onList = vi.fn()
    const following = (async () => {
      for await (const _ of questions.subscribe(new AbortController().signal)) onList()
    })()
    await vi.waitFor(() => expect(onList).toHaveBeenCalled())
    await server.signal('SIGKILL')
    const other = await natsServer({ config: authorization('another'), port: server.port })
    await following
    await expect(fleet.unsettled()).rejects.toMatchObject(UNREACHABLE)
    await other.signal('SIGKILL')
    await server.restart()
    const [found] = await vi.waitFor(() => questions.read(['t1']))
    expect(found?.answer?.text).toBe('answer')
  },
)

it.runIf(hasNatsServer)(
  'a closed fleet leaves nothing behind on a connection that is not its own',
  async () => {
    const { url } = await natsServer()
    const connection = await connect({ servers: url })
    onTestFinished(() => connection.close())
    const fleet = createNatsFleet({ connection, secret: SECRET })
    await fleet.unsettled()
    const { pass } = runnerAccess({ namespace: 'a', secret: SECRET })
    const ask = () => connection.request(`sandagent.sandagent.watch.a.${pass}`, '{}', { timeout: 30_000 })
    expect((await ask()).json()).toMatchObject({ error: { description: 'refused' } })
    await fleet.close()
    await expect(ask()).rejects.toThrow('no responders')
    await expect(fleet.questions('a').read(['t1'])).rejects.toMatchObject(UNREACHABLE)
    await expect(fleet.runs.find('run')).rejects.toMatchObject(UNREACHABLE)
    expect(connection.isClosed()).toBe(false)
  },
)
