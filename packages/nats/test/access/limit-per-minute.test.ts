import { createFakeClock } from '@sandagent/testing'
import { expect, it } from 'vitest'
import { limitPerMinute } from '../../src/access/limit-per-minute.ts'

it('a host does something so often a minute for each namespace', () => {
  const clock = createFakeClock()
  const isFree = limitPerMinute({ clock }, 2)
  const some = (namespace: string) => [1, 2, 3].map(() => isFree(namespace))
  expect([some('a'), some('b')]).toEqual([
    [true, true, false],
    [true, true, false],
  ])
  clock.advance(60_001)
  expect(some('a')).toEqual([true, true, false])
})
