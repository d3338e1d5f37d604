import { appendFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { noSystemWatches, systemWatches } from '@sandagent/fixtures/system-watches.ts'
import { describe, expect, it, vi } from 'vitest'
import { type LocalSandbox, RUN_STREAM_HEADERS, stopRun, streamRun } from '../../src/index.ts'
import { recordedRun } from '../support/recorded-run.ts'
import { chunksIn, eventsOf, followed, noted, started } from '../support/runs.ts'
import { refusalOf, tempSandbox } from '../support/temp-sandbox.ts'

const typesIn = (events: readonly string[]) => chunksIn(events).map(({ type }) => type)

/** Prints into the log of a run, as its runner does. */
const print = ({ workdir }: LocalSandbox, runId: string, text: string): Promise<void> =>
  appendFile(join(workdir, '.sandagent/runs', runId, '1/stream.sse'), text)

/** Reads the next event, or what else the stream gives. */
async function next(events: AsyncGenerator<string, void>): Promise<string | undefined> {
  const { value } = await events.next()
  return value ?? undefined
}

describe('streamRun', () => {
  it('gives a run that has ended from its beginning, to every reader the same', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'finishes' })
    const live = await eventsOf(sandbox, runId)
    await noted(sandbox, runId)
    expect(live.map((event) => event.split('\n')[0])).toEqual(['id: 1-1', 'id: 1-2', 'id: 1-3', 'id: 1-4'])
    expect(live.at(-1)).toBe('id: 1-4\ndata: [DONE]')
    expect(await eventsOf(sandbox, runId)).toEqual(live)
  })

  it('goes on where the reader left off', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'finishes' })
    const all = await eventsOf(sandbox, runId)
    expect(await eventsOf(sandbox, runId, { from: '1-2' })).toEqual(all.slice(2))
    expect(await eventsOf(sandbox, runId, { from: '1-4' })).toEqual([])
    for (const from of [null, '', '7-2', '1', '-1', '1-x', 'x'.repeat(10_000)])
      expect(await eventsOf(sandbox, runId, { from })).toEqual(all)
  })

  it('ends after what is there now, without follow', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'waits' })
    const now = () => eventsOf(sandbox, runId, { follow: false })
    await vi.waitFor(async () => expect(typesIn(await now())).toEqual(['start', 'data-ready']))
    await print(sandbox, runId, 'data: {"type":"text-start"}\n\ndata: {"type":"te')
    expect(typesIn(await now())).toEqual(['start', 'data-ready', 'text-start'])
  })

  it('says how a run has crashed, also without follow', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'crashes' })
    await noted(sandbox, runId)
    const events = await eventsOf(sandbox, runId, { follow: false })
    expect(events).toEqual(await eventsOf(sandbox, runId))
    expect(typesIn(events.slice(0, -1)).at(-1)).toBe('error')
  })

  it('reads no further than a log may grow, however long its program makes it', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'finishes', maxLogBytes: 1024 * 1024 })
    await noted(sandbox, runId)
    const log = join(sandbox.workdir, '.sandagent/runs', runId, '1/stream.sse')
    await truncate(log, 0)
    await truncate(log, 2 ** 42)
    const events = await eventsOf(sandbox, runId)
    // Whether somebody has noticed by then that it printed too much, or not.
    expect(['abort', 'error']).toContain(typesIn(events.slice(0, -1)).join())
    expect(events.at(-1)).toBe('data: [DONE]')
  })

  it('follows a run, in whole events only, however it prints them', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'waits' })
    const events = followed(sandbox, runId)
    expect(typesIn([(await next(events)) ?? '', (await next(events)) ?? ''])).toEqual(['start', 'data-ready'])
    const pending = next(events)
    const text = 'data: {"type":"data-x","data":"schön 👋"}\n\n'
    for (const byte of Buffer.from(text)) await print(sandbox, runId, Buffer.of(byte) as never)
    await print(sandbox, runId, text.repeat(2))
    expect(await pending).toBe(`id: 1-3\n${text.trimEnd()}`)
    expect(await next(events)).toBe(`id: 1-4\n${text.trimEnd()}`)
    expect(await next(events)).toBe(`id: 1-5\n${text.trimEnd()}`)
    await stopRun(sandbox, runId, { graceMs: 60_000 })
    expect([await next(events), await next(events), await next(events)]).toEqual([
      'id: 1-6\ndata: {"type":"abort"}',
      'id: 1-7\ndata: [DONE]',
      undefined,
    ])
  })

  it('drops what a killed runner was just printing, and says that the run has ended', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'crashes' })
    const live = await eventsOf(sandbox, runId)
    expect(chunksIn(live)).toEqual([
      { type: 'start', messageId: `message-${runId}` },
      { type: 'data-step', data: 1 },
      { type: 'error', errorText: 'The agent ended before it was done' },
    ])
    expect(live.at(-1)).toBe('data: [DONE]')
    await noted(sandbox, runId)
    expect(await eventsOf(sandbox, runId)).toEqual(live)
  })

  it('tells the page nothing of what a runner complained about', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'no such agent' })
    expect(chunksIn(await eventsOf(sandbox, runId)).at(-1)).toEqual({
      type: 'error',
      errorText: 'The agent ended before it was done',
    })
  })

  it('gives large logs piece by piece, and no faster than they are read', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'waits' })
    const text = `data: ${JSON.stringify({ type: 'data-x', data: 'ü'.repeat(100_000) })}\n\n`
    await print(sandbox, runId, text.repeat(60))
    await stopRun(sandbox, runId)
    const readFrom = vi.spyOn(sandbox.files, 'readFrom')
    const stream = await streamRun(sandbox, runId)
    let bytes = 0
    for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
      const pieces = await Promise.all(readFrom.mock.results.map(({ value }) => value))
      const read = pieces.reduce((sum, piece) => sum + piece.length, 0)
      // An event or two are read ahead.
      expect(read).toBeLessThan(bytes + 1_000_000)
      bytes += chunk.byteLength
    }
    expect(bytes).toBeGreaterThan(60 * 200_000)
  })

  it('comes all the same where the sandbox reports no changes', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'waits' })
    const { watch: _, ...files } = sandbox.files
    const deaf = { workdir: sandbox.workdir, detached: sandbox.detached, files } as LocalSandbox
    const events = followed(deaf, runId)
    await next(events)
    await next(events)
    await print(sandbox, runId, 'data: {"type":"data-x"}\n\n')
    expect(await next(events)).toContain('data-x')
    await events.return()
  })

  it('keeps a silent stream open with comments, and holds nothing when the reader goes', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'waits' })
    const timers = new Set<{ ms: number; callback: () => void }>()
    const clock = {
      now: () => Date.now(),
      after(ms: number, callback: () => void) {
        const timer = { ms, callback }
        timers.add(timer)
        return () => timers.delete(timer)
      },
    }
    await noSystemWatches()
    const reader = (await streamRun(sandbox, runId, { clock })).getReader()
    const read = async () => new TextDecoder().decode((await reader.read()).value)
    expect(await read()).toBe(': keep-alive\n\n')
    expect(await read()).toContain('"start"')
    await vi.waitFor(() => expect(systemWatches()).toBeGreaterThan(0))
    const pending = read()
    const keepAlive = [...timers].find(({ ms }) => ms === 15_000)
    keepAlive?.callback()
    expect(await pending).toMatch(/keep-alive|data-ready/)
    await reader.cancel()
    await noSystemWatches()
    expect([...timers].filter((timer) => timer !== keepAlive)).toEqual([])
  })

  it('ends for the reader alone when the signal aborts', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'waits' })
    const leaving = new AbortController()
    const events = followed(sandbox, runId, { signal: leaving.signal })
    await next(events)
    await next(events)
    leaving.abort()
    expect(await next(events)).toBeUndefined()
    expect(await eventsOf(sandbox, runId, { signal: AbortSignal.abort() })).toEqual([])
    expect(await stopRun(sandbox, runId)).toMatchObject({ state: 'stopped' })
  })

  it('refuses unknown runs and texts that are no run id before it answers', async () => {
    const sandbox = await tempSandbox()
    expect(await refusalOf(streamRun(sandbox, 'r'))).toMatchObject({
      code: 'NOT_FOUND',
      facts: { runId: 'r' },
    })
    expect((await refusalOf(streamRun(sandbox, '../r'))).code).toBe('INVALID_REQUEST')
  })

  it('ends without an end, without follow, if the run has ended as it should meanwhile', async () => {
    const text = 'data: {"type":"start"}\n\n'
    for (const [last, isEnded] of [
      ['{"type":"finish"}', false],
      ['{"type":"error"}', false],
      ['{"type":"abort"}', true],
    ] as const) {
      // The log gets its end after it was read.
      const { sandbox, files, paths } = await recordedRun({
        async isRunning() {
          await files.writeAtomic(paths.stream, `${text}data: ${last}\n\ndata: [DONE]\n\n`)
          return false
        },
      })
      await files.writeAtomic(paths.stream, text)
      const events = await eventsOf(sandbox as LocalSandbox, 'r', { follow: false })
      const end = isEnded ? ['data: {"type":"abort"}', 'data: [DONE]'] : []
      expect(events, last).toEqual(['id: 1-1\ndata: {"type":"start"}', ...end])
    }
  })

  it('stops a run that prints too much, whoever has started it', async () => {
    const { sandbox, files, paths, interrupt, end } = await recordedRun()
    interrupt.mockImplementation(async () => end())
    await files.writeAtomic(paths.errors, 'x'.repeat(1001))
    const events = await eventsOf(sandbox as LocalSandbox, 'r')
    expect(events).toEqual(['data: {"type":"abort"}', 'data: [DONE]'])
  })

  it('reports that the length of a log cannot be checked', async () => {
    const failure = new Error('I/O error')
    const { sandbox, files, paths, end } = await recordedRun()
    await files.writeAtomic(paths.stream, 'data: [DONE]\n\n')
    end()
    vi.spyOn(files, 'stat').mockRejectedValue(failure)
    const errors: unknown[] = []
    await eventsOf(sandbox as LocalSandbox, 'r', { onError: (error) => errors.push(error) })
    await vi.waitFor(() => expect(errors).toEqual([failure]))
  })

  it('gives no empty pieces to a reader who has the beginning', async () => {
    const { sandbox, files, paths } = await recordedRun({ record: { maxLogBytes: 10_000_000 } })
    const event = `data: "${'x'.repeat(10_000)}"\n\n`
    await files.writeAtomic(paths.stream, `${event.repeat(20)}data: [DONE]\n\n`)
    const sizes: number[] = []
    for await (const piece of await streamRun(sandbox, 'r', { from: '1-20' })) sizes.push(piece.length)
    expect(sizes).toEqual([': keep-alive\n\n'.length, 'id: 1-21\ndata: [DONE]\n\n'.length])
  })

  it('says in its headers what it is', () => {
    expect(RUN_STREAM_HEADERS).toEqual({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-vercel-ai-ui-message-stream': 'v1',
    })
  })
})
