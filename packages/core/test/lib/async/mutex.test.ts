import { expect, it } from 'vitest'
import { createMutex } from '../../../src/lib/async/mutex.ts'

it('runs tasks of one key one after the other, also after one that failed, and others beside them', async () => {
  const log: string[] = []
  const task =
    (name: string, fails = false) =>
    async () => {
      log.push(`${name} begins`)
      await new Promise(setImmediate)
      log.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    }
  const mutex = createMutex()
  const results = await Promise.allSettled([
    mutex('a', task('first', true)),
    mutex('a', task('second')),
    mutex('b', task('other')),
  ])
  expect(results).toMatchObject([{ reason: { message: 'first' } }, { value: 'second' }, { value: 'other' }])
  expect(log.filter((line) => !line.startsWith('other'))).toEqual([
    'first begins',
    'first ends',
    'second begins',
    'second ends',
  ])
  expect(log.indexOf('other begins')).toBeLessThan(log.indexOf('first ends'))
})
