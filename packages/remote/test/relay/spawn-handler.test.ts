import { PassThrough } from 'node:stream'
import type { LocalSandbox, SandboxProcess } from '@sandagent/sdk'
import { expect, it, vi } from 'vitest'
import { spawnHandler } from '../../src/relay/spawn-handler.ts'

function spawning() {
  const child = {
    pid: 7 as number | undefined,
    ...{ stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() },
    kill: vi.fn(),
  }
  let end = (_: object): void => {}
  const ended = new Promise((resolve) => {
    end = resolve
  })
  const spawn = vi.fn(async () => ({ ...child, ended }) as unknown as SandboxProcess)
  const events: unknown[] = []
  let input = (_: unknown): void => {}
  const task = {
    again: false,
    signal: new AbortController().signal,
    emit: async (event: unknown) => void events.push(event),
    onInput: (take: typeof input) => (input = take),
  }
  const run = (args: object) =>
    spawnHandler({ spawn } as unknown as LocalSandbox)({ command: 'x', args: ['1'], ...args }, task)
  return {
    child,
    spawn,
    events,
    task,
    run,
    end: (given: object) => end(given),
    input: (given: unknown) => input(given),
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

it('a program gets its variables, its hosts and the signal of its request', async () => {
  const { run, spawn, task, child, end } = spawning()
  const done = run({ env: { A: 'a', B: null }, hosts: ['h.example'] })
  for (const output of [child.stdout, child.stderr]) output.end()
  end({ exitCode: 0, signal: null })
  expect(await done).toEqual({ exitCode: 0, signal: null })
  expect(spawn.mock.calls).toEqual([
    ['x', ['1'], { env: { A: 'a', B: undefined }, hosts: ['h.example'], signal: task.signal }],
  ])
})

it('inputs reach the program, and outputs its host', async () => {
  const { run, child, events, end, input } = spawning()
  const done = run({})
  await vi.waitFor(() => expect(events).toEqual([{ pid: 7 }]))
  const written: string[] = []
  child.stdin.on('data', (bytes: Buffer) => written.push(bytes.toString()))
  input({ stdin: base64('in') })
  await vi.waitFor(() => expect(events).toContainEqual({ written: true }))
  expect(written).toEqual(['in'])
  input({ end: true })
  expect([child.stdin.writableEnded, child.kill.mock.calls.length]).toEqual([true, 0])
  input({ kill: true })
  expect(child.kill).toHaveBeenCalledOnce()
  expect(() => input({ what: 1 })).toThrow()
  child.stdout.end(Buffer.alloc(64 * 1024 + 1, 'o'))
  child.stderr.end('err')
  end({ exitCode: null, signal: 'SIGTERM', error: new Error('no luck') })
  expect(await done).toEqual({ exitCode: null, signal: 'SIGTERM', error: { message: 'no luck' } })
  const outputs = events.flatMap((event) => (event as { stdout?: string }).stdout ?? [])
  const sizes = outputs.map((piece) => Buffer.from(piece, 'base64').length)
  expect(sizes.reduce((sum, size) => sum + size)).toBe(64 * 1024 + 1)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(64 * 1024)
  expect(events).toContainEqual({ stderr: base64('err') })
})

it('a program without a process tells so, and a broken input does no harm', async () => {
  const { run, child, events, end } = spawning()
  child.pid = undefined
  const done = run({})
  await vi.waitFor(() => expect(events).toEqual([{ pid: null }]))
  child.stdin.emit('error', new Error('EPIPE'))
  for (const output of [child.stdout, child.stderr]) output.end()
  end({ exitCode: 1, signal: null })
  expect(await done).toEqual({ exitCode: 1, signal: null })
})
