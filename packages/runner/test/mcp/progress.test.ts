import type { ServerContext } from '@modelcontextprotocol/server'
import { deferred } from '@sandagent/core/internal'
import { createFakeClock } from '@sandagent/testing'
import { expect, it } from 'vitest'
import { withProgress } from '../../src/mcp/progress.ts'

function start(
  _meta: object | undefined,
  { place, isGone = false }: { place?: string; isGone?: boolean } = {},
) {
  const clock = createFakeClock()
  const work = deferred<string>()
  const notes: unknown[] = []
  const notify = async (note: unknown): Promise<void> => {
    notes.push(note)
    if (isGone) throw new Error('The client has gone')
  }
  const ctx = { mcpReq: { _meta, notify } } as unknown as ServerContext
  const done = withProgress(ctx, { everyMs: 5000, clock, place }, () => work.promise)
  done.catch(() => {})
  return { clock, work, notes, done }
}

const note = (progress: number, message: string) => ({
  method: 'notifications/progress',
  params: { progressToken: 0, progress, message },
})

it.each([undefined, {}])('a client that gives no token gets no progress: %j', async (meta) => {
  const { clock, work, notes, done } = start(meta)
  expect([notes, clock.pending()]).toEqual([[], 0])
  work.resolve('done')
  expect(await done).toBe('done')
})

it('progress comes at once, then at its interval, and ends with the work', async () => {
  const { clock, work, notes, done } = start({ progressToken: 0 })
  const message = 'Waiting for the user to answer'
  expect(notes).toEqual([note(1, message)])
  clock.advance(4999)
  expect(notes).toHaveLength(1)
  clock.advance(1)
  clock.advance(5000)
  expect(notes).toEqual([note(1, message), note(2, message), note(3, message)])
  work.resolve('done')
  expect(await done).toBe('done')
  expect(clock.pending()).toBe(0)
})

it('progress says where the user answers, and ends with an error of the work', async () => {
  const { clock, work, notes, done } = start({ progressToken: 0 }, { place: 'the chat' })
  expect(notes).toEqual([note(1, 'Waiting for the user to answer in the chat')])
  work.reject('broken')
  await expect(done).rejects.toBe('broken')
  expect(clock.pending()).toBe(0)
})

it('a client that has gone does not break the work', async () => {
  const { work, done } = start({ progressToken: 0 }, { isGone: true })
  await new Promise(setImmediate)
  work.resolve('done')
  expect(await done).toBe('done')
})
