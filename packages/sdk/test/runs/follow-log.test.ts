import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import type { RunRecord } from '../../src/run-records/run-records.ts'
import { followLog } from '../../src/runs/follow-log.ts'
import type { DetachedPrograms } from '../../src/sandbox/programs/detached-programs.ts'
import type { RunSandbox } from '../../src/sandbox/sandbox.ts'

const DONE = 'data: [DONE]'
const FOLDER = '.sandagent/runs/run-1/2'
const MIB = 1024 * 1024

/** A run whose log and process are what the test says. */
function running({ maxLogBytes = 1000, ...more }: { maxLogBytes?: number } & Partial<DetachedPrograms> = {}) {
  let log = Buffer.from('')
  let isRunning = true
  let change = (): void => {}
  const stopWatching = vi.fn()
  const readFrom = vi.fn(async (_path: string, offset: number, most?: number) =>
    log.subarray(offset, most === undefined ? undefined : offset + most),
  )
  const watch = vi.fn((_folder: string, onChange: () => void) => {
    change = onChange
    return stopWatching
  })
  const isRunningNow = vi.fn(async (_handle: string) => isRunning)
  const sandbox = {
    files: { readFrom, watch, list: async () => [] },
    detached: { isRunning: isRunningNow, ...more },
  } as unknown as RunSandbox
  const clock = createFakeClock()
  const stop = new AbortController()
  const record = { runId: 'run-1', attempt: 2, process: 'p1', maxLogBytes } as RunRecord
  return {
    clock,
    stop,
    readFrom,
    watch,
    stopWatching,
    isRunningNow,
    follow: (follow = true) => followLog(sandbox, record, { follow, signal: stop.signal, clock }),
    print(text: string) {
      log = Buffer.concat([log, Buffer.from(text)])
    },
    end() {
      isRunning = false
    },
    change: () => change(),
  }
}

const event = (name: string): string => `data: ${name}\n\n`

async function allOf(events: AsyncIterable<string[]>): Promise<string[]> {
  const all: string[] = []
  for await (const some of events) all.push(...some)
  return all
}

describe('a log that is followed', () => {
  it('is that of this start of the run, and its folder is watched', async () => {
    const { follow, print, watch, readFrom, stopWatching } = running()
    print(event('1') + event('[DONE]'))
    expect(await allOf(follow())).toEqual(['data: 1', DONE])
    expect(watch.mock.calls).toEqual([[FOLDER, expect.any(Function)]])
    expect(readFrom.mock.calls[0]).toEqual([`${FOLDER}/stream.sse`, 0, 16 * 1024])
    expect(stopWatching).toHaveBeenCalledOnce()
  })

  it('ends after its last event, whatever is printed behind it', async () => {
    const { follow, print, isRunningNow } = running()
    print(event('1') + event('[DONE]') + event('2'))
    expect(await allOf(follow())).toEqual(['data: 1', DONE])
    expect(isRunningNow).not.toHaveBeenCalled()
  })

  it('goes on when its folder changes', async () => {
    const { follow, print, change, clock } = running()
    const all = allOf(follow())
    await clock.whenPending()
    print(event('1') + event('[DONE]'))
    change()
    expect(await all).toEqual(['data: 1', DONE])
    expect(clock.pending()).toBe(0)
  })

  it('is looked at every half second when nothing is heard of it', async () => {
    const { follow, print, clock, readFrom } = running()
    const all = allOf(follow())
    await clock.whenPending()
    clock.advance(499)
    expect(readFrom).toHaveBeenCalledOnce()
    print(event('[DONE]'))
    clock.advance(1)
    expect(await all).toEqual([DONE])
  })

  it('is read once more after its runner has ended', async () => {
    const { follow, print, isRunningNow, readFrom } = running()
    isRunningNow.mockImplementation(async () => {
      if (isRunningNow.mock.calls.length === 1) print(event('last'))
      return false
    })
    expect(await allOf(follow())).toEqual(['data: last'])
    expect(isRunningNow.mock.calls).toEqual([['p1']])
    expect(readFrom).toHaveBeenCalledTimes(3)
  })

  it('ends with what is there without `follow`', async () => {
    const { follow, print, isRunningNow } = running()
    print(`${event('1')}data: incomplete`)
    expect(await allOf(follow(false))).toEqual(['data: 1'])
    expect(isRunningNow).not.toHaveBeenCalled()
  })

  it('ends when the signal aborts', async () => {
    const { follow, stop, clock, stopWatching } = running()
    const all = allOf(follow())
    await clock.whenPending()
    stop.abort()
    expect(await all).toEqual([])
    expect(clock.pending()).toBe(0)
    expect(stopWatching).toHaveBeenCalledOnce()
  })

  it('is not read at all if the signal is aborted before', async () => {
    const { follow, stop, readFrom } = running()
    stop.abort()
    expect(await allOf(follow())).toEqual([])
    expect(readFrom).not.toHaveBeenCalled()
  })

  it('is no longer watched when its reader goes', async () => {
    const { follow, print, stopWatching } = running()
    print(event('1'))
    for await (const _ of follow()) break
    expect(stopWatching).toHaveBeenCalledOnce()
  })

  it('comes in larger pieces to a quick reader', async () => {
    const { follow, print, clock, readFrom } = running({ maxLogBytes: 10 * MIB })
    print(event('x'.repeat(100)).repeat(2000) + event('[DONE]'))
    const events = follow()
    const sizes = () => readFrom.mock.calls.map(([, , size]) => (size ?? 0) / 1024)
    await events.next()
    clock.advance(9)
    await events.next()
    clock.advance(10)
    await events.next()
    expect(sizes()).toEqual([16, 64, 16])
    const offsets = readFrom.mock.calls.map(([, offset]) => offset / 1024)
    expect(offsets).toEqual([0, 16, 80])
    await events.return()
  })

  it('is read one MiB beyond its limit, and no further', async () => {
    const { follow, print, readFrom, end } = running({ maxLogBytes: 16 * 1024 })
    print('x'.repeat(3 * MIB))
    end()
    await allOf(follow())
    const read = readFrom.mock.results.length
    const [, last] = readFrom.mock.calls.at(-1) ?? []
    expect(read).toBeGreaterThan(1)
    expect(last).toBeLessThan(MIB + 16 * 1024)
    expect((last ?? 0) + 64 * 1024).toBeGreaterThanOrEqual(MIB + 16 * 1024)
  })

  it('is waited for by the sandbox, where that can wait', async () => {
    const until = vi.fn(async (..._: Parameters<NonNullable<DetachedPrograms['until']>>) => {})
    const { follow, print, watch, clock, stop } = running({ until })
    until.mockImplementation(async () => {
      print(event(until.mock.calls.length === 1 ? 'é' : '[DONE]'))
    })
    expect(await allOf(follow())).toHaveLength(2)
    const of = (bytes: number) => [
      'p1',
      { files: [`${FOLDER}/stream.sse`], bytes, signal: expect.any(AbortSignal) },
    ]
    expect(until.mock.calls).toEqual([of(0), of(10)])
    expect(until.mock.calls[0]?.[1].signal).toBe(stop.signal)
    expect(watch).not.toHaveBeenCalled()
    expect(clock.pending()).toBe(0)
  })

  it('that is beyond its limit is waited for until its runner has ended', async () => {
    const until = vi.fn(async (..._: Parameters<NonNullable<DetachedPrograms['until']>>) => {})
    const { follow, print, end } = running({ maxLogBytes: 0, until })
    until.mockImplementation(async () => end())
    print('x'.repeat(2 * MIB))
    await allOf(follow())
    expect(until.mock.calls.map(([, { bytes }]) => bytes)).toEqual([Number.MAX_SAFE_INTEGER])
  })
})
