import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { eventually, holds, onlyWinner, refuses, same, sameText, soon } from '../src/expect.ts'

/** The first line of an error's message: some versions of Node show a difference below. */
const messageOf = async (work: () => unknown): Promise<string> => {
  try {
    await work()
  } catch (error) {
    return (error as Error).message.split('\n')[0] ?? ''
  }
  return 'It passed'
}

const withFakeTime = () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
}

describe('what comes in the end', () => {
  it('is looked for again and again', async () => {
    withFakeTime()
    const look = vi.fn<() => number>().mockImplementation(() => {
      throw new Error('not yet')
    })
    const found = eventually(look)
    await vi.advanceTimersByTimeAsync(39)
    expect(look).toHaveBeenCalledTimes(2)
    look.mockReturnValue(7)
    await vi.advanceTimersByTimeAsync(1)
    expect(await found).toBe(7)
  })

  it('is no longer looked for after 50 seconds: its latest error counts', async () => {
    withFakeTime()
    const failed = messageOf(() => eventually(() => Promise.reject(new Error(`at ${Date.now() - start}`))))
    const start = Date.now()
    await vi.advanceTimersByTimeAsync(51_000)
    expect(await failed).toBe('at 50020')
  })
})

describe('a promise', () => {
  it('that settles in time gives what it gives, and leaves no timer', async () => {
    withFakeTime()
    expect(await soon(Promise.resolve(7), 'X')).toBe(7)
    expect(await messageOf(() => soon(Promise.reject(new Error('no')), 'X'))).toBe('no')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that settles at the last moment is not late', async () => {
    withFakeTime()
    let settle = (_: number): void => {}
    const found = soon(
      new Promise<number>((resolve) => {
        settle = resolve
      }),
      'X',
    )
    setTimeout(() => settle(7), 50_000)
    await vi.advanceTimersByTimeAsync(50_001)
    expect(await found).toBe(7)
  })

  it.each([
    ['waited for', (never: Promise<void>) => soon(never, 'X')],
    ['that must fail', (never: Promise<void>) => refuses('GONE', never, 'X')],
  ])('%s fails when it does not settle', async (_, wait) => {
    withFakeTime()
    const onFailed = vi.fn()
    const failed = messageOf(() => wait(new Promise(() => {}))).then(onFailed)
    await vi.advanceTimersByTimeAsync(49_999)
    expect(onFailed).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(2) // Fake time takes a millisecond for `setImmediate`.
    await failed
    expect(onFailed).toHaveBeenCalledWith('X does not end')
  })

  it.each([
    ['resolves', 'X', async () => {}, 'X does not fail. It must fail with GONE.'],
    ['resolves', undefined, async () => {}, 'does not fail. It must fail with GONE.'],
    [
      'fails otherwise',
      'X',
      () => Promise.reject(Object.assign(new Error('m'), { code: 'OTHER' })),
      'X fails with OTHER: Error: m. It must fail with GONE.',
    ],
    [
      'fails with nothing',
      undefined,
      () => Promise.reject(null),
      'fails with undefined: null. It must fail with GONE.',
    ],
    ['fails as it must', 'X', () => Promise.reject({ code: 'GONE' }), 'It passed'],
  ])('that %s, called %s', async (_, what, run, message) => {
    expect(await messageOf(() => refuses('GONE', run(), what))).toBe(message)
  })
})

it.each([
  ['the same', 'a', 'a', 'It passed'],
  ['no text', null, 'a', 'X'],
  ['a short one', 'a'.repeat(999), 'b'.repeat(999), 'X'],
  ['a long one', 'a'.repeat(1000), 'b', 'X: another text of 1000 characters'],
  ['none of a long one', null, 'b'.repeat(1000), 'X: another text of no characters'],
  ['the same long one', 'a'.repeat(1000), 'a'.repeat(1000), 'It passed'],
])('a text is compared with another: %s', async (_, found, expected, message) => {
  expect(await messageOf(() => sameText(found, expected, 'X'))).toBe(message)
})

describe('of several writers', () => {
  const won = { status: 'fulfilled', value: 1 } as const
  const lost = (code: string) => ({ status: 'rejected', reason: { code, toString: () => code } }) as const

  it('one wins', () => expect(onlyWinner([lost('CONFLICT'), won, lost('CONFLICT')])).toBe(1))

  it.each([
    ['none', [lost('CONFLICT')], '0 writers succeeded. Only one of them may.'],
    ['two', [won, won], '2 writers succeeded. Only one of them may.'],
    ['one, and another one fails otherwise', [won, lost('GONE')], 'A writer failed with: GONE'],
    [
      'one, and another one fails with nothing',
      [won, { status: 'rejected' as const, reason: null }],
      'A writer',
    ],
  ])('not %s', async (_, results, message) => {
    expect(await messageOf(() => onlyWinner(results))).toContain(message)
  })
})

describe('facts', () => {
  it('are the same if their JSON is', async () => {
    same({ a: 1, b: undefined }, { a: 1 })
    same(undefined, undefined)
    expect(await messageOf(() => same({ a: 1 }, { a: 2 }, 'X'))).toBe('X')
    expect(await messageOf(() => same(undefined, null))).toContain('equal')
  })

  it('hold what is expected of them', async () => {
    holds({ a: 1, b: 2 }, { a: 1, c: undefined })
    expect(await messageOf(() => holds({ a: 1 }, { a: 1, b: 2 }, 'X'))).toBe('X')
    expect(await messageOf(() => holds(null, { a: 1 }, 'X'))).toBe('X')
    expect(await messageOf(() => holds(undefined, { a: 1 }))).toContain('equal')
  })
})
