import type { ChannelWarning } from '@sandagent/core/internal'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { followFiles } from '../../src/channel/follow-files.ts'

it('warns each time that the sandbox cannot be read, and once while that lasts', async () => {
  const warnings: ChannelWarning[] = []
  let isAway = true
  let looks = 0
  let report = (_fileName: string | null): void => {}
  const files = {
    list: async () => [],
    stamps: async () => {
      looks += 1
      if (isAway) throw Object.assign(new Error('The disk is away'), { code: 'EIO' })
      return new Map<string, string>()
    },
    watch(_folder: string, change: typeof report) {
      report = change
      return () => {}
    },
  }
  const stop = new AbortController()
  const options = {
    files,
    folders: ['questions'],
    only: undefined,
    read: async () => null,
    onWarning: (warning: ChannelWarning) => warnings.push(warning),
    clock: createFakeClock(),
  }
  const following = (async () => {
    for await (const state of followFiles(options, stop.signal)) expect(state).toEqual([])
  })()
  onTestFinished(async () => {
    stop.abort()
    await following
  })
  const lookAgain = async (): Promise<void> => {
    const before = looks
    report(null)
    await vi.waitFor(() => expect(looks).toBeGreaterThan(before))
  }

  await vi.waitFor(() => expect(warnings).toHaveLength(1))
  await lookAgain()
  isAway = false
  await lookAgain()
  isAway = true
  await lookAgain()
  await vi.waitFor(() => expect(warnings).toHaveLength(2))
  expect(warnings[1]).toEqual({ code: 'EIO', message: 'The disk is away' })
})

it('looks less often at a question that is not there', async () => {
  const clock = createFakeClock()
  const stop = new AbortController()
  const read = vi.fn(async () => null)
  const options = {
    files: { list: async () => [] },
    folders: ['questions'],
    only: 'q.json',
    read,
    onWarning() {},
    clock,
  }
  const following = (async () => {
    for await (const state of followFiles(options, stop.signal)) expect(state).toEqual([])
  })()
  onTestFinished(async () => {
    stop.abort()
    await following
  })
  for (let ms = 0; ms < 5000; ms += 50) {
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(50)
  }
  expect(read.mock.calls.length).toBeLessThan(25)
})
