import type { LogPiece, RunLogs } from '@sandagent/core/store'
import { hasNatsServer, natsServer } from '@sandagent/fixtures/servers/nats-server.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createNatsFleet } from '../src/index.ts'

const LOG = { runId: 'run/1 ü', attempt: 1 }
const bytes = (text: string): Uint8Array => Buffer.from(text)

function logsAt(url: string): RunLogs {
  const fleet = createNatsFleet({ servers: url })
  onTestFinished(() => fleet.close())
  if (!fleet.logs) throw new Error('NATS keeps logs')
  return fleet.logs
}

/** The texts of the pieces, until the log or the signal ends. */
function read(logs: RunLogs, follow = true): { texts: string[]; ended: Promise<void>; stop(): void } {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const texts: string[] = []
  const run = async (): Promise<void> => {
    for await (const piece of logs.pieces(LOG, { follow, signal: stop.signal }))
      texts.push(Buffer.from(piece.bytes).toString())
  }
  return { texts, ended: run(), stop: () => stop.abort() }
}

describe.runIf(hasNatsServer)('the logs of runs in NATS', () => {
  it('are read on another host, as they grow, to their end', async () => {
    const { url } = await natsServer()
    const [one, two] = [logsAt(url), logsAt(url)]
    expect([await one.lastAttempt(LOG.runId), await one.last(LOG)]).toEqual([null, null])
    const reader = read(two)
    expect(await one.append(LOG, { offset: 0, bytes: bytes('a\n\0ü') })).toBe(true)
    await vi.waitFor(() => expect(reader.texts).toEqual(['a\n\0ü']))
    expect(await one.append(LOG, { offset: 5, bytes: bytes('b') })).toBe(true)
    expect(await two.append(LOG, { offset: 6, bytes: bytes(''), ended: 'crashed' })).toBe(true)
    await reader.ended
    expect(reader.texts).toEqual(['a\n\0ü', 'b', ''])
    expect(await two.last(LOG)).toMatchObject({ offset: 6, ended: 'crashed' })
    expect(await one.append(LOG, { offset: 6, bytes: bytes('c') })).toBe(false)
    const all = read(two, false)
    await all.ended
    expect(all.texts).toEqual(reader.texts)
  })

  it('have each piece once, though two hosts copy at the same time', async () => {
    const { url } = await natsServer()
    const hosts = [logsAt(url), logsAt(url)]
    const copy = async (logs: RunLogs): Promise<number> => {
      let stored = 0
      for (let offset = 0; offset < 50; offset++) {
        const piece: LogPiece = { offset, bytes: bytes(String(offset % 10)) }
        if (await logs.append(LOG, piece)) stored++
      }
      return stored
    }
    const counts = await Promise.all(hosts.map(copy))
    expect(counts.reduce((sum, count) => sum + count)).toBe(50)
    const all = read(hosts[0] as RunLogs, false)
    await all.ended
    expect(all.texts.join('')).toBe('0123456789'.repeat(5))
  })

  it('are one for each start of a run, and the last start counts', async () => {
    const logs = logsAt((await natsServer()).url)
    for (const attempt of [2, 10, 9])
      await logs.append({ ...LOG, attempt }, { offset: 0, bytes: bytes(String(attempt)) })
    await logs.append({ runId: 'run/10', attempt: 77 }, { offset: 0, bytes: bytes('other') })
    expect(await logs.lastAttempt(LOG.runId)).toBe(10)
  })

  it('end without a last piece once a later start has a log', async () => {
    const logs = logsAt((await natsServer()).url)
    await logs.append(LOG, { offset: 0, bytes: bytes('cut') })
    const reader = read(logs)
    await vi.waitFor(() => expect(reader.texts).toEqual(['cut']))
    await logs.append({ ...LOG, attempt: 2 }, { offset: 0, bytes: bytes('') })
    await reader.ended
    expect(reader.texts).toEqual(['cut'])
  })

  it('are read from their end, whatever other logs have in between', async () => {
    const logs = logsAt((await natsServer()).url)
    const tail = async (count: number) => Buffer.from(await logs.tail(LOG, count)).toString()
    expect(await tail(3)).toBe('')
    for (let n = 0; n < 100; n++) {
      await logs.append(LOG, { offset: 2 * n, bytes: bytes(String(n).padStart(2, '0')) })
      await logs.append({ ...LOG, runId: 'other' }, { offset: n, bytes: bytes('x') })
    }
    expect(await tail(3)).toBe('9899')
    expect(await tail(80)).toBe(Array.from({ length: 40 }, (_, n) => 60 + n).join(''))
    expect(await tail(1000)).toHaveLength(200)
  })

  it('end for who follows them when the fleet is closed', async () => {
    const fleet = createNatsFleet({ servers: (await natsServer()).url })
    const logs = fleet.logs as RunLogs
    await logs.append(LOG, { offset: 0, bytes: bytes('a') })
    const reader = read(logs)
    await vi.waitFor(() => expect(reader.texts).toEqual(['a']))
    await fleet.close()
    await reader.ended
  })

  it('take pieces of 512 KiB, and are read on after the server was started again', async () => {
    const server = await natsServer()
    const logs = logsAt(server.url)
    const reader = read(logs)
    const piece = Buffer.alloc(512 * 1024, 'x')
    await logs.append(LOG, { offset: 0, bytes: piece })
    await vi.waitFor(() => expect(reader.texts).toHaveLength(1))
    await server.restart()
    await vi.waitFor(async () => {
      // An earlier attempt may have stored it, and lost its reply.
      await logs.append(LOG, { offset: piece.length, bytes: bytes('end'), ended: 'finished' })
      expect(await logs.last(LOG)).toMatchObject({ ended: 'finished' })
    })
    await vi.waitFor(() => expect(reader.texts.at(-1)).toBe('end'))
  })
})
