import { AskError } from '@sandagent/core'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { RelayClient } from '../../src/connection/relay-client.ts'
import { remoteDetached } from '../../src/sandbox/remote-detached.ts'

type Reply = (args: Record<string, unknown>) => unknown

/** The programs of a relay that gives these replies. `calls` has what it was asked. */
function programs(replies: Record<string, Reply> = {}) {
  const calls: [name: string, args: Record<string, unknown>, isWaiting: boolean | undefined][] = []
  const all: Record<string, Reply> = {
    prepare: () => ({ handle: 'h' }),
    begin: () => true,
    drop: () => null,
    settle: () => null,
    whenEnded: () => ({ exitCode: 3, signal: null }),
    until: () => null,
    ...replies,
  }
  const call = async (name: string, args: Record<string, unknown>, options?: { isWaiting?: boolean }) => {
    calls.push([name, args, options?.isWaiting])
    return all[name]?.(args)
  }
  const detached = remoteDetached({ call } as unknown as RelayClient)
  return { detached, calls, named: () => calls.map(([name]) => name) }
}

const OUTPUTS = { stdout: 'o/out', stderr: 'o/err' }

it('a program is prepared, noted by its host, and then begins', async () => {
  const { detached, calls, named } = programs()
  const beforeStart = vi.fn(async () => expect(named()).toEqual(['prepare']))
  const env = { A: 'a', B: undefined }
  const program = await detached.start('x', ['1'], { ...OUTPUTS, env, hosts: ['h.example'], beforeStart })
  expect(beforeStart).toHaveBeenCalledWith('h')
  expect(program.handle).toBe('h')
  expect(await program.ended).toEqual({ exitCode: 3, signal: null })
  const token = calls[0]?.[1].token
  expect(calls).toEqual([
    [
      'prepare',
      { command: 'x', args: ['1'], env: { A: 'a', B: null }, hosts: ['h.example'], token, ...OUTPUTS },
      undefined,
    ],
    ['begin', { token, stdout: 'o/out' }, true],
    ['settle', { stdout: 'o/out' }, undefined],
    ['whenEnded', { token, handle: 'h' }, true],
  ])
})

it('two programs have different tokens', async () => {
  const { detached, calls } = programs()
  for (const _ of [1, 2]) await detached.start('x', [], OUTPUTS)
  const tokens = calls.flatMap(([name, { token }]) => (name === 'prepare' ? [token] : []))
  expect(new Set(tokens).size).toBe(2)
})

it('a program without variables and hosts leaves both out', async () => {
  const { detached, calls } = programs()
  await detached.start('x', [], OUTPUTS)
  const sent = JSON.parse(JSON.stringify(calls[0]?.[1]))
  expect(Object.keys(sent).sort()).toEqual(['args', 'command', 'stderr', 'stdout', 'token'])
})

it('a program whose host cannot note it is dropped, and never begins', async () => {
  const { detached, calls, named } = programs()
  const failure = new Error('The disk is full')
  const beforeStart = () => Promise.reject(failure)
  await expect(detached.start('x', [], { ...OUTPUTS, beforeStart })).rejects.toBe(failure)
  expect(named()).toEqual(['prepare', 'drop', 'settle'])
  const token = calls[0]?.[1].token
  expect(calls.slice(1).map(([, args]) => args)).toEqual([{ token }, { stdout: 'o/out' }])
})

it('a program is killed if nobody knows whether it has begun, so that its record can go', async () => {
  const failure = new AskError('UNREACHABLE', 'The relay does not reply')
  const { detached, calls, named } = programs({ begin: () => Promise.reject(failure) })
  await expect(detached.start('x', [], OUTPUTS)).rejects.toBe(failure)
  expect(named()).toEqual(['prepare', 'begin', 'drop', 'kill', 'settle'])
  expect(calls[3]?.[1]).toEqual({ handle: 'h' })
})

it('a program that was lost before it began is unreachable', async () => {
  const { detached, named } = programs({ begin: () => false })
  await expect(detached.start('x', [], OUTPUTS)).rejects.toMatchObject({
    code: 'UNREACHABLE',
    message: expect.stringContaining('never will begin'),
  })
  expect(named()).toEqual(['prepare', 'begin', 'settle'])
})

it('marks that cannot be removed do no harm', async () => {
  const { detached } = programs({ settle: () => Promise.reject(new Error('The disk is full')) })
  expect(await (await detached.start('x', [], OUTPUTS)).ended).toEqual({ exitCode: 3, signal: null })
})

it('the end of a program has the error of its connection', async () => {
  const error = new AskError('UNREACHABLE', 'closed')
  const { detached } = programs({ whenEnded: () => Promise.reject(error) })
  const { ended } = await detached.start('x', [], OUTPUTS)
  expect(await ended).toEqual({ exitCode: null, signal: null, error })
})

it('each question about a program and each signal goes to the relay with its handle', async () => {
  const { detached, calls } = programs({ isRunning: () => true, interrupt: () => null, kill: () => null })
  expect(await detached.isRunning('h')).toBe(true)
  expect(await detached.interrupt('h')).toBeUndefined()
  expect(await detached.kill('h')).toBeUndefined()
  expect(calls.map(([name, args]) => [name, args])).toEqual(
    ['isRunning', 'interrupt', 'kill'].map((name) => [name, { handle: 'h' }]),
  )
})

it('a wait for files ends without an error when it is stopped, and not otherwise', async () => {
  const stop = new AbortController()
  const failure = new Error('The relay ended')
  const { detached, calls } = programs({ until: () => Promise.reject(failure) })
  const wait = { files: ['a', 'b'], bytes: 7, signal: stop.signal }
  await expect(detached.until?.('h', wait)).rejects.toBe(failure)
  expect(calls).toEqual([['until', { handle: 'h', files: ['a', 'b'], bytes: 7 }, true]])
  stop.abort()
  expect(await detached.until?.('h', wait)).toBeUndefined()
})

it('this process stays while a program is about to begin', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const during: number[] = []
  const { detached } = programs({
    begin: () => {
      during.push(vi.getTimerCount())
      return true
    },
  })
  await detached.start('x', [], OUTPUTS)
  expect(during).toEqual([1])
  expect(vi.getTimerCount()).toBe(0)
})
