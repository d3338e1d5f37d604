import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createReadWriteLock } from '../../src/park/read-write-lock.ts'

/** Work that ends when the test says so, and what has begun and ended so far. */
function works() {
  const log: string[] = []
  const work = (name: string) => {
    let end = (): void => {}
    let fail = (_: Error): void => {}
    const done = new Promise<string>((resolve, reject) => {
      end = () => resolve(name)
      fail = reject
    })
    const run = async (): Promise<string> => {
      log.push(`${name} begins`)
      return done.finally(() => log.push(`${name} ends`))
    }
    return { run, end: () => end(), fail: (error: Error) => fail(error) }
  }
  return { log, work }
}

it('many work at once, and a change waits for all of them', async () => {
  const { log, work } = works()
  const lock = createReadWriteLock()
  const [first, second, change, later] = ['first', 'second', 'change', 'later'].map(work) as [
    ReturnType<typeof work>,
    ReturnType<typeof work>,
    ReturnType<typeof work>,
    ReturnType<typeof work>,
  ]
  const results = [lock.read(first.run), lock.read(second.run), lock.write(change.run), lock.read(later.run)]
  await turn()
  expect(log).toEqual(['first begins', 'second begins'])
  first.end()
  await turn()
  expect(log).toEqual(['first begins', 'second begins', 'first ends'])
  second.end()
  await turn()
  expect(log.slice(3)).toEqual(['second ends', 'change begins'])
  change.end()
  await turn()
  expect(log.slice(5)).toEqual(['change ends', 'later begins'])
  later.end()
  expect(await Promise.all(results)).toEqual(['first', 'second', 'change', 'later'])
})

it('work that fails and a change that fails hinder nobody', async () => {
  const { work } = works()
  const lock = createReadWriteLock()
  const [failing, change] = [work('failing'), work('change')]
  const read = lock.read(failing.run).catch((error: Error) => error.message)
  const write = lock.write(change.run).catch((error: Error) => error.message)
  failing.fail(new Error('no file'))
  const later = lock.read(async () => 'later')
  change.fail(new Error('no disk'))
  expect(await Promise.all([read, write, later])).toEqual(['no file', 'no disk', 'later'])
  expect(await lock.write(async () => 'written')).toBe('written')
})

it('work within work begins at once, although a change waits', async () => {
  const lock = createReadWriteLock()
  const { log, work } = works()
  const change = work('change')
  let writing: Promise<string> | undefined
  const read = lock.read(async () => {
    writing = lock.write(change.run)
    return lock.read(async () => 'within')
  })
  expect(await read).toBe('within')
  await turn()
  expect(log).toEqual(['change begins'])
  change.end()
  expect(await writing).toBe('change')
})

it('what goes on after its work has ended waits like others', async () => {
  const lock = createReadWriteLock()
  const { log, work } = works()
  const [change, late] = [work('change'), work('late')]
  let goOn = (): void => {}
  let left: Promise<string> | undefined
  await lock.read(async () => {
    left = new Promise<void>((resolve) => (goOn = resolve)).then(() => lock.read(late.run))
  })
  const writing = lock.write(change.run)
  await turn()
  goOn()
  await turn()
  expect(log).toEqual(['change begins'])
  change.end()
  late.end()
  expect([await writing, await left]).toEqual(['change', 'late'])
})
