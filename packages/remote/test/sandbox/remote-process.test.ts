import { text } from 'node:stream/consumers'
import { expect, it, vi } from 'vitest'
import type { RelayClient } from '../../src/connection/relay-client.ts'
import { spawnRemotely } from '../../src/sandbox/remote-process.ts'
import { relayPair } from '../support/relay-pair.ts'

const ECHO = 'process.stdin.pipe(process.stdout)'

it('a long input arrives whole, and a long output comes back', async () => {
  const { remote } = await relayPair()
  const input = Array.from({ length: 40_000 }, (_, index) => `line ${index}\n`).join('')
  const child = await remote.spawn(process.execPath, ['-e', ECHO])
  child.stdin.end(input)
  child.stderr.resume()
  expect(await text(child.stdout)).toBe(input)
  expect(await child.ended).toEqual({ exitCode: 0, signal: null })
})

/** A program behind a relay that does what the test says. */
async function scripted(options: { signal?: AbortSignal } = {}) {
  const sent: Record<string, unknown>[] = []
  const hurried = vi.fn()
  let event = (_: object): unknown => undefined
  let end = (_: object): void => {}
  let fail = (_: Error): void => {}
  const request = vi.fn((_name: string, _args: object, given: { onEvent(event: object): unknown }) => {
    event = given.onEvent
    const value = new Promise((resolve, reject) => {
      end = resolve
      fail = reject
    })
    return { value, send: (input: Record<string, unknown>) => sent.push(input), hurry: () => hurried() }
  })
  const spawning = spawnRemotely({ request } as unknown as RelayClient, 'x', ['1'], options)
  return {
    sent,
    hurried,
    request,
    spawning,
    event: (given: object) => event(given),
    end: (given: object) => end(given),
    fail: (error: Error) => fail(error),
  }
}

it('a program is requested for one connection alone', async () => {
  const { request, event, spawning, end } = await scripted()
  event({ pid: 7 })
  expect((await spawning).pid).toBe(7)
  expect(request).toHaveBeenCalledWith(
    'spawn',
    { command: 'x', args: ['1'] },
    expect.objectContaining({ isOnce: true }),
  )
  end({ exitCode: 0, signal: null })
})

it('the input goes in pieces, each after the one before was written', async () => {
  const { sent, event, spawning, end } = await scripted()
  event({ pid: 7 })
  const { stdin, ended, stdout, stderr } = await spawning
  for (const stream of [stdout, stderr]) stream.resume()
  const bytes = Buffer.alloc(64 * 1024 + 3, 'a')
  stdin.end(bytes)
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  event({ written: true })
  await vi.waitFor(() => expect(sent).toHaveLength(2))
  expect(sent.map(({ stdin }) => Buffer.from(`${stdin}`, 'base64').length)).toEqual([64 * 1024, 3])
  event({ written: true })
  await vi.waitFor(() => expect(sent[2]).toEqual({ end: true }))
  end({ exitCode: 3, signal: null })
  expect(await ended).toEqual({ exitCode: 3, signal: null })
  expect(stdin.destroyed).toBe(true)
})

it('an output that nobody reads holds its events back', async () => {
  const { event, spawning, end } = await scripted()
  event({ pid: 7 })
  const { stdout, stderr, ended } = await spawning
  const taken = event({ stdout: Buffer.alloc(200_000, 'a').toString('base64') }) as Promise<void>
  const other = event({ stderr: Buffer.alloc(200_000, 'b').toString('base64') }) as Promise<void>
  expect([taken, other]).toEqual([expect.any(Promise), expect.any(Promise)])
  const printed = text(stdout)
  await taken
  stderr.destroy()
  await other
  expect(event({ stderr: 'YQ==' })).toBeUndefined()
  end({ exitCode: 0, signal: null })
  expect((await printed).length).toBe(200_000)
  await ended
})

it('a signal kills the program once it runs, and nothing listens when it has ended', async () => {
  const stop = new AbortController()
  const remove = vi.spyOn(stop.signal, 'removeEventListener')
  const { sent, hurried, event, spawning, end } = await scripted({ signal: stop.signal })
  event({ pid: 7 })
  const { ended, stdout, stderr, kill } = await spawning
  for (const stream of [stdout, stderr]) stream.resume()
  stop.abort()
  kill()
  expect(sent).toEqual([{ kill: true }, { kill: true }])
  expect(hurried).toHaveBeenCalledTimes(2)
  end({ exitCode: null, signal: 'SIGTERM' })
  expect(await ended).toEqual({ exitCode: null, signal: 'SIGTERM' })
  expect(remove).toHaveBeenCalledOnce()
})

it('a program that starts after its signal aborted is killed', async () => {
  const { sent, event, spawning, end } = await scripted({ signal: AbortSignal.abort() })
  event({ pid: 7 })
  await spawning
  expect(sent).toEqual([{ kill: true }])
  end({ exitCode: 0, signal: null })
})

it.each<[string, object | null, object]>([
  [
    'has no process',
    { pid: null },
    { exitCode: null, signal: null, error: { message: 'no such file', system: 'ENOENT' } },
  ],
  [
    'ended before',
    null,
    { exitCode: null, signal: null, error: { message: 'no such file', system: 'ENOENT' } },
  ],
])('a program that %s was not started', async (_, started, result) => {
  const { event, spawning, end } = await scripted()
  if (started) event(started)
  end(result)
  const child = await spawning
  expect(child.pid).toBeUndefined()
  expect(await child.ended).toMatchObject({ exitCode: null, signal: null, error: { code: 'ENOENT' } })
})

it('a program whose start says no reason was not started either', async () => {
  const { spawning, end } = await scripted()
  end({ exitCode: null, signal: null })
  expect((await (await spawning).ended).error?.message).toBe('x was not started')
})

it('a program whose connection is lost ends with the reason', async () => {
  const { event, spawning, fail } = await scripted()
  event({ pid: 7 })
  const { ended, stdout, stderr } = await spawning
  for (const stream of [stdout, stderr]) stream.resume()
  const lost = new Error('lost')
  fail(lost)
  expect(await ended).toEqual({ exitCode: null, signal: null, error: lost })
})
