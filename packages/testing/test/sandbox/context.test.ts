import { Readable } from 'node:stream'
import type { RunSandbox } from '@sandagent/sdk'
import { expect, it, vi } from 'vitest'
import { endedBy, type SandboxContext, withSandbox } from '../../src/sandbox/context.ts'

/** A sandbox whose programs print a text and end. */
function sandboxWith(printed = '', exitCode = 0, complaints = '') {
  const kill = vi.fn(async (_handle: string) => {})
  const start = vi.fn(async (command: string, ..._rest: unknown[]) => ({ handle: command }))
  const stdin = { end: vi.fn() }
  const spawn = vi.fn(async (..._all: unknown[]) => ({
    stdin,
    stdout: Readable.from([printed]),
    stderr: Readable.from([complaints]),
    ended: Promise.resolve({ exitCode, signal: null }),
  }))
  const sandbox = { workdir: '/w', detached: { start, kill }, spawn } as unknown as RunSandbox
  return { sandbox, start, kill, spawn, stdin }
}

it('a case starts programs with outputs of their own, which are killed before the sandbox is removed', async () => {
  const { sandbox, start, kill } = sandboxWith()
  kill.mockRejectedValueOnce(new Error('it has gone'))
  const remove = vi.fn()
  const run = async (context: SandboxContext): Promise<void> => {
    expect(await context.start('one', ['a'])).toEqual({ handle: 'one' })
    await context.start('two', ['b'], { stdout: 'own.out', env: { A: '1' } })
    throw new Error('The case fails')
  }
  await expect(withSandbox(() => sandbox, { remove }, run)).rejects.toThrow('The case fails')
  expect(start.mock.calls).toEqual([
    ['one', ['a'], { stdout: 'outputs/0.out', stderr: 'outputs/0.err' }],
    ['two', ['b'], { stdout: 'own.out', stderr: 'outputs/1.err', env: { A: '1' } }],
  ])
  expect(kill.mock.calls).toEqual([['one'], ['two']])
  expect(remove).toHaveBeenCalledExactlyOnceWith(sandbox)
  expect(remove.mock.invocationCallOrder[0]).toBeGreaterThan(kill.mock.invocationCallOrder[1] as number)
})

it('a case gets what its sandbox can do, with the sandbox that was made', async () => {
  const { sandbox } = sandboxWith()
  const other = sandboxWith().sandbox
  const abilities = { another: vi.fn(() => other), loseWorkdir: vi.fn(), cutAfter: vi.fn(() => () => true) }
  await withSandbox(
    async () => sandbox,
    abilities,
    async (context) => {
      expect(context.sandbox).toBe(sandbox)
      expect(await context.another()).toBe(other)
      await context.loseWorkdir()
      expect(context.cutAfter(3)()).toBe(true)
    },
  )
  expect(abilities.another).toHaveBeenCalledExactlyOnceWith(sandbox)
  expect(abilities.loseWorkdir).toHaveBeenCalledExactlyOnceWith(sandbox)
  expect(abilities.cutAfter).toHaveBeenCalledExactlyOnceWith(sandbox, 3)
})

it('a case is told what its sandbox cannot do', async () => {
  await withSandbox(
    () => sandboxWith().sandbox,
    {},
    async (context) => {
      await expect(context.another()).rejects.toThrow('The maker does not have another')
      expect(() => context.cutAfter(0)).toThrow('The maker does not have cutAfter')
    },
  )
})

it('a script of Node runs inside with its arguments, and gives what it prints', async () => {
  const { sandbox, spawn, stdin } = sandboxWith('printed')
  await withSandbox(
    () => sandbox,
    {},
    async ({ inside }) => expect(await inside('script', 'a', 'b')).toBe('printed'),
  )
  expect(spawn.mock.calls).toEqual([['node', ['-e', 'script', '--', 'a', 'b'], undefined]])
  expect(stdin.end).toHaveBeenCalledOnce()
})

it('a script that fails inside shows its complaints', async () => {
  const run = ({ inside }: SandboxContext) => inside('script').then(() => {})
  const { sandbox } = sandboxWith('printed', 3, 'no such thing')
  await expect(withSandbox(() => sandbox, {}, run)).rejects.toThrow('node failed: no such thing')
})

it.each([
  ['SIGTERM', { exitCode: null, signal: 'SIGTERM' }],
  ['SIGTERM', { exitCode: 143, signal: null }],
  ['SIGKILL', { exitCode: 137, signal: null }],
] as const)('%s ended a program that reports %j', (signal, end) => {
  endedBy(signal, end)
})

it.each([
  ['SIGTERM', { exitCode: null, signal: 'SIGKILL' }, 'It ended by SIGKILL, and not by SIGTERM'],
  ['SIGTERM', { exitCode: 143, signal: 'SIGKILL' }, 'It ended by SIGKILL, and not by SIGTERM'],
  ['SIGKILL', { exitCode: 143, signal: null }, 'It ended by 143, and not by SIGKILL'],
] as const)('%s did not end a program that reports %j', (signal, end, message) => {
  expect(() => endedBy(signal, end)).toThrow(message)
})
