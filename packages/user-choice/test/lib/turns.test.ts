import { deferred } from '@sandagent/core/internal'
import { expect, it } from 'vitest'
import { createTurns } from '../../src/lib/turns.ts'

it('tasks with the same name run one after the other, also after a failure', async () => {
  const inTurn = createTurns()
  const events: string[] = []
  const [first, second] = [deferred<string>(), deferred<string>()]
  const run = (name: string, held: Promise<string>) => async (): Promise<string> => {
    events.push(`${name} begins`)
    return held.finally(() => events.push(`${name} ends`))
  }
  const one = inTurn('call', run('one', first.promise))
  const two = inTurn('call', run('two', second.promise))
  const three = inTurn('call', run('three', Promise.resolve('3')))
  await inTurn('another', run('other', Promise.resolve('0')))
  expect(events).toEqual(['one begins', 'other begins', 'other ends'])
  first.reject('broken')
  await expect(one).rejects.toBe('broken')
  const late = inTurn('call', run('late', Promise.resolve('4')))
  second.resolve('2')
  expect(await Promise.all([two, three, late])).toEqual(['2', '3', '4'])
  expect(events.slice(3)).toEqual([
    'one ends',
    'two begins',
    'two ends',
    'three begins',
    'three ends',
    'late begins',
    'late ends',
  ])
})
