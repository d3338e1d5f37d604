import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Connection, RemoteSandbox } from '@sandagent/remote'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { scriptedSandbox } from '../support/remote/scripted-relay.ts'

const HOSTILE = fileURLToPath(new URL('../support/remote/hostile-relay.mjs', import.meta.url))
const UNREACHABLE = { code: 'UNREACHABLE' }

/** A sandbox whose relay floods its host, and the processes that were started for it. */
function flooded(mode: string) {
  const clock = createFakeClock()
  const relays: ChildProcess[] = []
  const connect = (): Connection => {
    const child = spawn(process.execPath, [HOSTILE, mode], { stdio: ['pipe', 'pipe', 'inherit'] })
    relays.push(child)
    const closed = once(child, 'exit').then(() => 'It ended')
    return { stdin: child.stdin, stdout: child.stdout, closed }
  }
  const sandbox = new RemoteSandbox({ name: mode, workdir: '/w', relay: ['relay'], connect, clock })
  onTestFinished(() => sandbox.close())
  return { sandbox, clock, relays }
}

it.each(['pongs', 'events', 'brackets', 'objects', 'endless line'])(
  'a far end that floods its host with %s loses each connection, and the pauses grow',
  async (mode) => {
    const parse = vi.spyOn(JSON, 'parse')
    onTestFinished(() => parse.mockRestore())
    const { sandbox, clock, relays } = flooded(mode)
    const read = sandbox.files.read('f').catch((error: unknown) => error)
    // It goes on in the background, as the watch of a page that is open.
    onTestFinished(sandbox.files.watch?.('.', () => {}) ?? (() => {}))
    const lose = async (count: number): Promise<void> => {
      await vi.waitFor(() => expect(relays).toHaveLength(count))
      const relay = relays[count - 1]
      if (relay?.exitCode === null) await once(relay, 'exit')
    }
    await lose(1)
    await lose(2)
    for (let count = 3; count < 6; count++) {
      await clock.whenPending()
      clock.advance(10_000)
      await lose(count)
    }
    await vi.waitFor(() => {
      clock.advance(10_000)
      expect(relays.length).toBeGreaterThan(6)
    })
    expect(await read).toMatchObject(UNREACHABLE)
    const longest = Math.max(...parse.mock.calls.map(([text]) => text.length))
    expect(longest).toBeLessThan(1000)
  },
)

it('a far end that only says that it is there fails each request in two minutes', async () => {
  const clock = createFakeClock()
  const received = vi.fn()
  const { sandbox, connections } = scriptedSandbox(received, {
    clock,
    onPing: (say) => say('{"pong":true}\n'),
  })
  const settled = vi.fn()
  const reads = Array.from({ length: 100 }, (_, index) => sandbox.files.read(`f${index}`).finally(settled))
  const ended = Promise.allSettled(reads)
  await vi.waitFor(() => expect(received).toHaveBeenCalledTimes(64))
  let heard = 0
  connections[0]?.stdout.on('data', (bytes) => {
    if (String(bytes).includes('pong')) heard++
  })
  for (let pings = 1; pings <= 3; pings++) {
    clock.advance(25_000)
    await vi.waitFor(() => expect(heard).toBe(pings))
    clock.advance(10_000)
  }
  expect(settled).not.toHaveBeenCalled()
  clock.advance(15_000)
  for (const { status } of await ended) expect(status).toBe('rejected')
  expect(connections).toHaveLength(1)
})
