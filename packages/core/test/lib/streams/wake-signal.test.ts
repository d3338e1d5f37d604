import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createWakeSignal } from '../../../src/lib/streams/wake-signal.ts'

const started = () => {
  const stop = new AbortController()
  const wake = createWakeSignal(stop.signal)
  const log: string[] = []
  const sleep = async (name: string): Promise<void> => {
    await wake.sleep()
    log.push(name)
  }
  return { stop, wake, log, sleep }
}

/** Long enough for all that only waits for promises. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a wake signal', () => {
  it('lets a loop sleep until it rings', async () => {
    const { wake, log, sleep } = started()
    const first = sleep('first')
    await settled()
    expect(log).toEqual([])
    wake.ring()
    await first
    expect(log).toEqual(['first'])
  })

  it('wakes a busy loop once for all its rings', async () => {
    const { wake, log, sleep } = started()
    wake.ring()
    wake.ring()
    await sleep('first')
    const second = sleep('second')
    await settled()
    expect(log).toEqual(['first'])
    wake.ring()
    await second
  })

  it('wakes when its signal aborts, and lets nobody sleep afterwards', async () => {
    const { stop, log, sleep } = started()
    const first = sleep('first')
    stop.abort()
    await first
    await sleep('second')
    await sleep('third')
    expect(log).toEqual(['first', 'second', 'third'])
  })

  it('lets nobody sleep whose signal was aborted before', async () => {
    await createWakeSignal(AbortSignal.abort()).sleep()
  })

  it('holds nothing of its signal after a sleep', async () => {
    const { stop, wake, sleep } = started()
    for (const name of ['first', 'second']) {
      const slept = sleep(name)
      expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1)
      wake.ring()
      await slept
      expect(getEventListeners(stop.signal, 'abort')).toEqual([])
    }
  })
})
