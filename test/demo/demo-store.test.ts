import { hasNatsServer, natsServer } from '@sandagent/fixtures/servers/nats-server.ts'
import { hasPostgres, startPostgres } from '@sandagent/fixtures/servers/postgres-server.ts'
import { fleetSandbox } from '@sandagent/fleet-host'
import { createNatsFleet } from '@sandagent/nats'
import { createPostgresFleet } from '@sandagent/postgres'
import { listQuestions, type Responses, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { asked } from '../support/question-files.ts'
import { startDemo } from '../support/servers/demo-server.ts'

/** The stores of this machine: each starts a server for one test, and gives its address and a fleet. */
const stores = {
  ...(hasPostgres && {
    async postgres() {
      const server = await startPostgres()
      onTestFinished(() => server.remove())
      const address = server.url()
      return { address, fleet: createPostgresFleet({ connectionString: address }) }
    },
  }),
  ...(hasNatsServer && {
    async nats() {
      const { url } = await natsServer()
      return { address: url, fleet: createNatsFleet({ servers: url }) }
    },
  }),
}

describe('the demo with a store', () => {
  it.each(Object.entries(stores))(
    'takes answers from its page and from another host over %s',
    async (_, start) => {
      const { address, fleet } = await start()
      const demo = await startDemo(0, undefined, { args: ['--agent', 'scripted', '--store', address] })
      onTestFinished(async () => void (await demo.close()))
      const [, namespace = ''] = /in the namespace (\S+)/.exec(demo.output) ?? []
      onTestFinished(() => fleet.close())
      const elsewhere = fleetSandbox(fleet, namespace)

      const post = (path: string, body: unknown): Promise<Response> =>
        fetch(demo.url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      const messages = [{ role: 'user', parts: [{ type: 'text', text: 'Go' }] }]
      await (await post('/api/chat', { id: 'c1', messages })).body?.cancel()
      const first = await asked(demo.workdir, 1)
      await vi.waitFor(async () => {
        const [question] = await listQuestions(elsewhere)
        expect(question).toMatchObject({ toolCallId: first })
      })
      const responses: Responses = { kind: { selected: ['Web page'], source: 'human' } }
      await submitAnswer(elsewhere, { toolCallId: first, status: 'completed', responses })

      const second = await asked(demo.workdir, 2)
      const late = await post('/api/answer', { toolCallId: first, status: 'declined' })
      expect(late.status).toBe(409)
      await vi.waitFor(async () => {
        const ids = (await listQuestions(elsewhere)).map(({ toolCallId }) => toolCallId)
        expect(ids).toEqual([second])
      })
      expect((await post('/api/answer', { toolCallId: second, status: 'declined' })).status).toBe(200)
    },
  )
})

it('the demo refuses an address that is no store', async () => {
  await expect(startDemo(0, undefined, { args: ['--store', 'ftp://example.com'] })).rejects.toThrow(
    'ended before it was ready',
  )
})
