import { PassThrough } from 'node:stream'
import { type Connection, RemoteSandbox } from '@sandagent/remote'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { scriptedSandbox, valued } from '../support/remote/scripted-relay.ts'

it('a request after an idle loss has all its time', async () => {
  const clock = createFakeClock()
  let requests = 0
  const { sandbox, connections } = scriptedSandbox(
    (request, say) => {
      if (++requests === 2) connections.at(-1)?.stdout.destroy()
      else valued('text')(request, say)
    },
    { clock },
  )
  expect(await sandbox.files.read('f')).toBe('text')
  connections[0]?.stdout.destroy()
  await vi.waitFor(() => expect(connections[0]?.stdin.destroyed).toBe(true))
  clock.advance(60_000)
  expect(await sandbox.files.read('f')).toBe('text')
  expect(connections).toHaveLength(3)
})

it('a connection that does not come is given up after 30 seconds, and ended if it comes later', async () => {
  const clock = createFakeClock()
  let arrive = (_: Connection): void => {}
  const coming = new Promise<Connection>((resolve) => {
    arrive = resolve
  })
  const connect = () => coming
  const sandbox = new RemoteSandbox({ name: 'late', workdir: '/w', relay: ['relay'], connect, clock })
  onTestFinished(() => sandbox.close())
  const read = sandbox.files.read('f').catch((error: unknown) => error)
  await vi.waitFor(() => expect(clock.pending()).toBeGreaterThan(0))
  clock.advance(30_000)
  expect(await read).toMatchObject({
    code: 'UNREACHABLE',
    message: expect.stringContaining('There was no connection in time'),
  })
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  arrive({ stdin, stdout, closed: new Promise(() => {}) })
  await vi.waitFor(() => expect([stdin.destroyed, stdout.destroyed]).toEqual([true, true]))
})
