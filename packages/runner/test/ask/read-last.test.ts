import { type AnswerFile, AskError, type RunnerChannel } from '@sandagent/core'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import { readLast } from '../../src/ask/read-last.ts'

const answerFile = { status: 'completed' } as AnswerFile

function start(failures: number, failure: unknown = new AskError('UNREACHABLE', 'busy')) {
  const clock = createFakeClock()
  const unreadable: unknown[] = []
  const reads: string[] = []
  const channel = {
    async read(toolCallId: string) {
      reads.push(toolCallId)
      if (reads.length <= failures) throw failure
      return answerFile
    },
  } as unknown as RunnerChannel
  const onUnreadable = (error: unknown): void => void unreadable.push(error)
  const read = readLast(channel, 'call_1', { clock, onUnreadable })
  read.catch(() => {})
  const pause = async (ms: number): Promise<void> => {
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    clock.advance(ms - 1)
    expect(clock.pending()).toBe(1)
    clock.advance(1)
  }
  return { read, reads, unreadable, clock, pause }
}

it('a readable answer file is read once', async () => {
  const { read, reads, unreadable, clock } = start(0)
  expect(await read).toBe(answerFile)
  expect([reads, unreadable, clock.pending()]).toEqual([['call_1'], [], 0])
})

it('an unreadable answer file is read again after longer and longer pauses', async () => {
  const { read, reads, unreadable, pause } = start(3)
  for (const ms of [100, 200, 400]) await pause(ms)
  expect(await read).toBe(answerFile)
  expect([reads.length, unreadable.length]).toEqual([4, 3])
})

it('an answer file that stays unreadable is given up after ten seconds', async () => {
  const { read, reads, unreadable, pause, clock } = start(99)
  for (const ms of [100, 200, 400, 800, 1600, 3200, 6400]) await pause(ms)
  expect(await read).toBeNull()
  expect([reads.length, unreadable.length, clock.pending()]).toEqual([8, 8, 0])
})

it('another failure is an error', async () => {
  const { read, unreadable } = start(1, new TypeError('broken'))
  await expect(read).rejects.toThrow('broken')
  expect(unreadable).toEqual([])
})
