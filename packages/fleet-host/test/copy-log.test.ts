import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AskError } from '@sandagent/core'
import type { RunLogs } from '@sandagent/core/store'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createMemoryFleet } from '@sandagent/fleet'
import {
  LocalSandbox,
  latestRecord,
  type RunRecord,
  readRun,
  startRun,
  stopRun,
} from '@sandagent/sdk/internal'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { beginLog, copyLog } from '../src/copy-log.ts'
import { recordedRun } from './support/runs.ts'

/** Prints an event, and the rest once there is a file `go`. */
const PROGRAM = `
  const print = (chunk) => process.stdout.write('data: ' + chunk + '\\n\\n')
  print('{"type":"start"}')
  const timer = setInterval(() => {
    if (!require('node:fs').existsSync('go')) return
    clearInterval(timer)
    print('{"type":"error","errorText":"No"}')
    print('[DONE]')
  }, 10)`

/** A run of the program, and what copies its log. */
async function begun() {
  const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation: 'none' })
  const program = join(sandbox.workdir, 'program.cjs')
  await writeFile(program, PROGRAM)
  const request = { agent: 'scripted', prompt: 'Go', runner: [process.execPath, program] as [string, string] }
  const { runId } = await startRun(sandbox, request, { signingKeys: null })
  onTestFinished(async () => void (await stopRun(sandbox, runId, { graceMs: 0 })))
  const record = (await latestRecord(sandbox, runId)) as RunRecord
  const clock = createFakeClock()
  const copy = (logs: RunLogs): Promise<void> =>
    copyLog(sandbox, record, logs, { signal: new AbortController().signal, clock })
  return { sandbox, record, clock, copy }
}

it('a store that fails once, after a long silence of the run, loses nothing of its log', async () => {
  const { sandbox, record, clock, copy } = await begun()
  const memory = createMemoryFleet().logs as RunLogs
  let failures = 0
  const logs: RunLogs = {
    ...memory,
    async append(log, piece) {
      if (failures-- > 0) throw new AskError('UNREACHABLE', 'The store is out of reach')
      return memory.append(log, piece)
    },
  }
  const copied = copy(logs)
  await vi.waitFor(async () => expect((await memory.last(record))?.bytes.length).toBeGreaterThan(0))
  clock.advance(6 * 60_000)
  failures = 1
  await writeFile(join(sandbox.workdir, 'go'), '')
  await vi.waitFor(async () => {
    clock.advance(1000)
    expect(await memory.last(record)).toMatchObject({ ended: 'failed' })
  })
  await copied
})

it('a copy ends when its fleet is closed, also while the store is out of reach', async () => {
  const { sandbox, record, copy } = await begun()
  const fleet = createMemoryFleet()
  const memory = fleet.logs as RunLogs
  const append = vi.fn(async () => {
    throw new AskError('UNREACHABLE', 'The store is out of reach')
  })
  const copies = [copy(memory), copy({ ...memory, append })]
  await vi.waitFor(async () => {
    expect((await memory.last(record))?.bytes.length).toBeGreaterThan(0)
    expect(append).toHaveBeenCalled()
  })
  await fleet.close()
  await Promise.all(copies)
  await writeFile(join(sandbox.workdir, 'go'), '')
  await vi.waitFor(async () =>
    expect(await readRun(sandbox, record.runId)).toMatchObject({ state: 'failed' }),
  )
})

const DONE = 'data: [DONE]\n\n'
const FINISHED = `data: {"type":"start"}\n\ndata: {"type":"finish"}\n\n${DONE}`
const away = (): never => {
  throw new AskError('UNREACHABLE', 'The store is out of reach')
}

/** A run whose process is there and whose log is this text, and a copy of it to logs that a test changes. */
async function copying(text = FINISHED) {
  const { sandbox, record, files, paths, end } = await recordedRun()
  await files.writeAtomic(paths.stream, text)
  const clock = createFakeClock()
  const stop = new AbortController()
  const memory = createMemoryFleet().logs as RunLogs
  const stored = async (): Promise<string> =>
    Buffer.from(await memory.tail(record, 2 ** 30)).toString('latin1')
  const begin = (logs: Partial<RunLogs> = {}): Promise<void> =>
    copyLog(sandbox, record, { ...memory, ...logs }, { signal: stop.signal, clock })
  /** Copies, and moves the clock to each new attempt. */
  const copy = async (logs: Partial<RunLogs> = {}): Promise<void> => {
    let isDone = false
    const copied = begin(logs)
    const done = copied.finally(() => {
      isDone = true
    })
    done.catch(() => {})
    while (!isDone) {
      await Promise.race([clock.whenPending(), done.catch(() => {})])
      if (!isDone) clock.advance(1000)
    }
    return copied
  }
  return { record, files, paths, end, clock, stop, memory, stored, begin, copy }
}

describe('the copy of a log', () => {
  it('is complete when the agent has ended its stream, even if its runner is still there', async () => {
    const { record, memory, copy, stored } = await copying()
    await copy()
    expect(await stored()).toBe(FINISHED)
    expect(await memory.last(record)).toEqual({
      offset: FINISHED.length,
      bytes: new Uint8Array(),
      ended: 'finished',
    })
  })

  it('tells what became of a run that did not end its stream', async () => {
    const { record, memory, copy, stored, end } = await copying('data: {"type":"start"}\n\ndata: {"ty')
    end()
    await copy()
    expect(await stored()).toBe('data: {"type":"start"}\n\n')
    expect(await memory.last(record)).toMatchObject({ ended: 'crashed' })
  })

  it('begins with an empty piece, so that readers wait for the others', async () => {
    const { record, memory, copy } = await copying()
    const append = vi.fn(memory.append)
    await copy({ append })
    expect(append.mock.calls[0]).toEqual([
      { runId: 'r', attempt: 1 },
      { offset: 0, bytes: new Uint8Array() },
    ])
    expect(await beginLog(record, memory)).toBe(false)
    expect(await beginLog({ runId: 'new', attempt: 1 }, memory)).toBe(true)
  })

  it('goes on where an earlier one ended, in the middle of an event, and is not made again', async () => {
    const { record, memory, copy, stored } = await copying()
    const bytes = Buffer.from(FINISHED)
    await memory.append(record, { offset: 0, bytes: bytes.subarray(0, 10) })
    await memory.append(record, { offset: 10, bytes: bytes.subarray(10, 30) })
    await copy()
    expect(await stored()).toBe(FINISHED)
    const append = vi.fn(memory.append)
    await copy({ append })
    expect(append).not.toHaveBeenCalled()
  })

  it('has pieces of half a MiB at most', async () => {
    const text = `data: "${'x'.repeat(1_200_000)}"\n\n${DONE}`
    const { record, memory, copy, stored } = await copying(text)
    await copy()
    expect(await stored()).toBe(text)
    const sizes: number[] = []
    for await (const { bytes } of memory.pieces(record, {
      follow: false,
      signal: new AbortController().signal,
    }))
      sizes.push(bytes.length)
    expect(Math.max(...sizes)).toBe(512 * 1024)
    expect(sizes.slice(1, 3)).toEqual([512 * 1024, 512 * 1024])
  })

  it('goes on behind what another host has stored meanwhile', async () => {
    const bytes = Buffer.from(FINISHED)
    for (const overtaken of [1, 2, 3]) {
      const { memory, copy, stored } = await copying()
      let appends = 0
      await copy({
        async append(log, piece) {
          appends += 1
          // The other host stores the beginning, a part of the log, or its end.
          if (appends === overtaken) {
            if (overtaken === 2) await memory.append(log, { offset: 0, bytes: bytes.subarray(0, 9) })
            else await memory.append(log, piece)
          }
          return memory.append(log, piece)
        },
      })
      expect(await stored(), `${overtaken}`).toBe(FINISHED)
    }
  })

  it('is given up when the store was out of reach for more than five minutes', async () => {
    const { copy, clock } = await copying()
    const startedAt = clock.now()
    const last = vi.fn(async () => away())
    await expect(copy({ last })).rejects.toMatchObject({ code: 'UNREACHABLE' })
    expect(clock.now() - startedAt).toBe(301_000)
    expect(last).toHaveBeenCalledTimes(302)
  })

  it('is not given up while attempts last so long that they have reached the store', async () => {
    const { record, memory, copy, clock } = await copying()
    const lasting = (ms: number, mostAttempts: number) => {
      let attempts = 0
      return async () => {
        if (++attempts > mostAttempts) return memory.last(record)
        clock.advance(ms)
        return away()
      }
    }
    await expect(copy({ last: lasting(30_000, 30) })).rejects.toMatchObject({ code: 'UNREACHABLE' })
    await copy({ last: lasting(30_001, 30) })
    expect(await memory.last(record)).toMatchObject({ ended: 'finished' })
  })

  it('is not given up while each attempt stores a part of it', async () => {
    const events = Array.from({ length: 15 }, (_, n) => `data: "${n}${'x'.repeat(70_000)}"\n\n`)
    const { copy, memory, stored, clock } = await copying(events.join('') + DONE)
    let appends = 0
    await copy({
      async append(log, piece) {
        if (appends++ % 2 === 0) return memory.append(log, piece)
        clock.advance(29_000)
        return away()
      },
    })
    expect(await stored()).toBe(events.join('') + DONE)
    expect(appends).toBeGreaterThan(24)
  })

  it('fails at once for another reason than a store out of reach', async () => {
    for (const failure of [new AskError('TOO_LARGE', 'It is too long'), new Error('A defect')]) {
      const { copy, clock } = await copying()
      const startedAt = clock.now()
      await expect(copy({ last: () => Promise.reject(failure) })).rejects.toBe(failure)
      expect(clock.now()).toBe(startedAt)
    }
  })

  it('ends with its signal, and tells no end of the run', async () => {
    const { record, memory, begin, stop, clock, stored } = await copying('data: {"type":"start"}\n\n')
    const copied = begin()
    await clock.whenPending()
    expect(await stored()).not.toBe('')
    stop.abort()
    await copied
    expect(await memory.last(record)).not.toHaveProperty('ended')
    const last = vi.fn(memory.last)
    await begin({ last })
    expect(clock.pending()).toBe(0)
    expect(last).not.toHaveBeenCalled()
  })

  it('does not fail when its signal aborts while the store has long been out of reach', async () => {
    const { copy, clock, stop } = await copying()
    let attempts = 0
    await copy({
      async last() {
        if (++attempts === 2) {
          clock.advance(29_000)
          stop.abort()
        }
        return away()
      },
    })
    expect(attempts).toBe(2)
  })
})
