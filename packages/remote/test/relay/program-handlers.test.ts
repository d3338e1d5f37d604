import { setImmediate as turn } from 'node:timers/promises'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { programHandlers } from '../../src/relay/program-handlers.ts'

/** The handlers of a sandbox whose files have these sizes, and whose program `h` runs until `end`. */
function handling(sizes: Record<string, number> = {}, { canWatch = true } = {}) {
  const clock = createFakeClock()
  const stop = new AbortController()
  const stopped = vi.fn()
  const watch = vi.fn((_: string, onChange: (name: string | null) => void) => {
    change = () => onChange(null)
    return stopped
  })
  let change = (): void => {}
  let runs = true
  const detached = {
    isRunning: vi.fn(async (_: string) => runs),
    interrupt: vi.fn(async (_: string) => {}),
    kill: vi.fn(async (_: string) => {}),
    start: vi.fn(
      async (_: string, __: readonly string[], options: { beforeStart(handle: string): unknown }) => {
        await turn()
        await options.beforeStart('h')
        return { handle: 'h', ended: new Promise(() => {}) }
      },
    ),
  }
  const files = {
    stat: async (path: string) => (path in sizes ? { size: sizes[path], modifiedAt: 0 } : null),
    writeAtomic: async () => {},
    ...(canWatch && { watch }),
  }
  const isolation = { level: 'none', reason: 'r' }
  const sandbox = { workdir: '/', files, detached, activeIsolation: async () => isolation }
  const task = { again: false, signal: stop.signal, emit: async () => {}, onInput: () => {} }
  return {
    ...{ clock, stop, stopped, watch, detached, isolation, sizes, task },
    handlers: programHandlers(sandbox as never, undefined, clock),
    withRunner: programHandlers(sandbox as never, ['node', 'runner.mjs'], clock),
    change: () => change(),
    end: () => {
      runs = false
    },
  }
}

/** Whether a promise has settled by now. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false
  promise.then(
    () => (done = true),
    () => (done = true),
  )
  for (let turns = 0; turns < 5; turns++) await turn()
  return done
}

it('questions about a program and signals reach it by its handle', async () => {
  const { handlers, task, detached, isolation, end } = handling()
  expect(await handlers.isRunning({ handle: 'h' }, task)).toBe(true)
  end()
  expect(await handlers.isRunning({ handle: 'h' }, task)).toBe(false)
  expect(await handlers.interrupt({ handle: 'h' }, task)).toBeNull()
  expect(await handlers.kill({ handle: 'g' }, task)).toBeNull()
  expect([detached.interrupt.mock.calls, detached.kill.mock.calls]).toEqual([[['h']], [['g']]])
  expect(await handlers.activeIsolation({}, task)).toBe(isolation)
})

it('a relay that has the runner starts it where it is not installed', async () => {
  const { handlers, withRunner, task, detached } = handling()
  const program = { command: 'sandagent', args: ['run'], env: { PATH: '' }, stdout: 'o', stderr: 'e' }
  await handlers.prepare({ ...program, token: 'a' }, task)
  await withRunner.prepare({ ...program, token: 'b' }, task).catch(() => {})
  expect(detached.start.mock.calls.map(([command, args]) => [command, args])).toEqual([
    ['sandagent', ['run']],
    ['node', ['runner.mjs', 'run']],
  ])
})

describe('the end of a program that another relay started', () => {
  it('is looked for four times a second', async () => {
    const { handlers, task, clock, detached, end } = handling()
    const done = handlers.whenEnded({ token: 't', handle: 'h' }, task)
    await clock.whenPending()
    clock.advance(249)
    expect(detached.isRunning).toHaveBeenCalledTimes(1)
    end()
    clock.advance(1)
    expect(await done).toEqual({ exitCode: null, signal: null })
    expect(detached.isRunning.mock.calls).toEqual([['h'], ['h']])
  })

  it('is no longer looked for once the request has ended', async () => {
    const { handlers, task, clock, stop, detached } = handling()
    const done = handlers.whenEnded({ token: 't', handle: 'h' }, task)
    await clock.whenPending()
    stop.abort()
    await done
    await handlers.whenEnded({ token: 't', handle: 'h' }, task)
    expect([detached.isRunning.mock.calls.length, clock.pending()]).toEqual([1, 0])
  })
})

describe('a wait for files', () => {
  const FILES = { handle: 'h', files: ['a/one', 'a/two', 'b/three'], bytes: 10 }

  it('lasts until they are longer together, and looks at once when they change', async () => {
    const { handlers, task, sizes, watch, stopped, change, clock } = handling({ 'a/one': 4, 'b/three': 6 })
    const done = handlers.until(FILES, task)
    expect(await isDone(done)).toBe(false)
    expect(watch.mock.calls.map(([folder]) => folder)).toEqual(['a', 'b'])
    sizes['a/two'] = 1
    expect(await isDone(done)).toBe(false)
    change()
    expect(await done).toBeNull()
    expect([stopped.mock.calls.length, clock.pending()]).toEqual([2, 0])
  })

  it.each([true, false])(
    'lasts until the program has ended, as is looked for four times a second',
    async (canWatch) => {
      const { handlers, task, clock, detached, end } = handling({}, { canWatch })
      const done = handlers.until(FILES, task)
      await clock.whenPending()
      clock.advance(250)
      await clock.whenPending()
      end()
      clock.advance(249)
      expect(await isDone(done)).toBe(false)
      clock.advance(1)
      expect(await done).toBeNull()
      expect(detached.isRunning.mock.calls).toEqual([['h'], ['h'], ['h']])
    },
  )

  it('ends with its request, and watches no workdir as a whole', async () => {
    const { handlers, task, clock, stop, watch, stopped, detached } = handling()
    const done = handlers.until({ ...FILES, files: ['one', 'a/two'] }, task)
    await clock.whenPending()
    stop.abort()
    expect(await done).toBeNull()
    expect(watch.mock.calls.map(([folder]) => folder)).toEqual(['a'])
    expect([stopped.mock.calls.length, clock.pending()]).toEqual([1, 0])
    await handlers.until(FILES, task)
    expect(detached.isRunning).toHaveBeenCalledTimes(1)
  })
})
