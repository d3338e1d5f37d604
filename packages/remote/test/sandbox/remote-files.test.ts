import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { RelayClient } from '../../src/connection/relay-client.ts'
import { remoteFiles } from '../../src/sandbox/remote-files.ts'

interface Given {
  onEvent(event: unknown): void
  onAgain(): void
  signal: AbortSignal
  isWaiting: boolean
}

/** Files of a relay that gives these replies. `calls` has what it was asked. */
function filesOf(reply: (name: string, given: Given) => unknown, id = 'place') {
  const calls: [name: string, args: unknown][] = []
  const call = async (name: string, args: unknown, given: Given) => {
    calls.push([name, args])
    return reply(name, given)
  }
  return { files: remoteFiles({ call } as unknown as RelayClient, id), calls }
}

it('each call reaches the relay, and its reply comes back', async () => {
  const stat = { size: 3, modifiedAt: 7 }
  const replies: Record<string, unknown> = { read: 'text', stat, readFrom: 'w6Q=', list: null }
  const { files, calls } = filesOf((name) => replies[name] ?? null)
  expect(files.id).toBe('place')
  expect(await files.read('f')).toBe('text')
  expect(await files.stat('f')).toEqual(stat)
  expect(Buffer.from((await files.readFrom('f', 5, 9)) ?? []).toString()).toBe('ä')
  await files.readFrom('f', 0)
  expect(await files.remove('f')).toBeUndefined()
  expect(await files.sync?.('d')).toBeUndefined()
  expect(calls).toEqual([
    ['read', { path: 'f' }],
    ['stat', { path: 'f' }],
    ['readFrom', { path: 'f', offset: 5, most: 9 }],
    ['readFrom', { path: 'f', offset: 0 }],
    ['remove', { path: 'f' }],
    ['sync', { directory: 'd' }],
  ])
  replies.readFrom = null
  expect(await files.readFrom('f', 0)).toBeNull()
})

describe('a file that is written', () => {
  it('has its text, and the options that were given', async () => {
    const { files, calls } = filesOf(() => null)
    expect(await files.writeAtomic('f', 'text')).toBeUndefined()
    await files.writeAtomic('f', 'text', { exclusive: false })
    await files.writeAtomic('f', 'text', { exclusive: true })
    await files.writeAtomic('f', 'text', { claim: '.f' })
    expect(calls.map(([, args]) => args)).toEqual([
      { path: 'f', text: 'text' },
      { path: 'f', text: 'text', exclusive: false },
      { path: 'f', text: 'text', exclusive: true },
      { path: 'f', text: 'text', claim: '.f' },
    ])
  })

  it('that another writer may create waits for that writer, also of another object', async () => {
    const replies: (() => void)[] = []
    const reply = () => new Promise<void>((resolve) => replies.push(resolve))
    const [first, second] = [filesOf(reply, 'one place'), filesOf(reply, 'one place')]
    const elsewhere = filesOf(reply, 'another place')
    const writes = [
      first.files.writeAtomic('f', 'a', { exclusive: true }),
      second.files.writeAtomic('f', 'b', { claim: '.f' }),
    ]
    const free = [
      first.files.writeAtomic('g', 'a', { exclusive: true }),
      elsewhere.files.writeAtomic('f', 'a', { exclusive: true }),
      second.files.writeAtomic('f', 'c'),
      second.files.writeAtomic('f', 'd', { exclusive: false }),
    ]
    await turn()
    expect([first, second, elsewhere].map(({ calls }) => calls.length)).toEqual([2, 2, 1])
    expect(second.calls.map(([, args]) => (args as { text: string }).text)).toEqual(['c', 'd'])
    for (const resolve of replies.splice(0)) resolve()
    await Promise.all([writes[0], ...free])
    await turn()
    expect(second.calls.at(-1)).toEqual(['writeAtomic', { path: 'f', text: 'b', claim: '.f' }])
    for (const resolve of replies) resolve()
    await writes[1]
  })
})

describe('a list of names', () => {
  const listed = (give: (given: Given) => void) =>
    filesOf((_, given) => {
      give(given)
      return null
    }).files.list('d')

  it('has all pieces of the latest reply, and nothing of the one before', async () => {
    const names = await listed(({ onEvent, onAgain }) => {
      onEvent(['lost'])
      onAgain()
      onEvent(['a', 'b'])
      onEvent(['c'])
    })
    expect(names).toEqual(['a', 'b', 'c'])
  })

  const MOST = 250_000
  const namesOf = (count: number, chars: number) => Array<string>(count).fill('n'.repeat(chars))
  const give =
    (count: number, chars: number, { again = false } = {}) =>
    ({ onEvent, onAgain }: Given) => {
      for (let from = 0; from < count; from += 1000) onEvent(namesOf(1000, chars))
      if (again) onAgain()
    }

  it('has as many names as a list of local files, and no more', async () => {
    expect(await listed(give(MOST, 255))).toHaveLength(MOST)
    const more = listed((given) => {
      give(MOST, 1)(given)
      given.onEvent(['n'])
    })
    await expect(more).rejects.toMatchObject({ code: 'TOO_LARGE' })
  })

  it('has as many characters as such a list, and no more', async () => {
    expect(await listed(give(MOST / 10, 2550))).toHaveLength(MOST / 10)
    const more = listed((given) => {
      give(MOST / 10, 2550)(given)
      given.onEvent(['n'])
    })
    await expect(more).rejects.toMatchObject({ code: 'TOO_LARGE' })
  })

  it('that comes again counts from the beginning', async () => {
    const names = await listed((given) => {
      give(MOST, 255, { again: true })(given)
      give(MOST, 255)(given)
    })
    expect(names).toHaveLength(MOST)
  })
})

describe('a watch', () => {
  it('reports each change, and that something may have changed after a loss', async () => {
    let relay = {} as Given
    const { files, calls } = filesOf((_, given) => {
      relay = given
      return new Promise(() => {})
    })
    const onChange = vi.fn()
    const stop = files.watch?.('d', onChange)
    expect(calls).toEqual([['watch', { directory: 'd' }]])
    // It waits for changes as long as it takes.
    expect(relay.isWaiting).toBe(true)
    relay.onEvent('f')
    relay.onEvent(null)
    relay.onAgain()
    expect(onChange.mock.calls).toEqual([['f'], [null], [null]])
    expect(relay.signal.aborted).toBe(false)
    stop?.()
    expect(relay.signal.aborted).toBe(true)
  })

  it('of a folder that cannot be watched reports nothing', async () => {
    const { files } = filesOf(() => Promise.reject(new Error('no watches left')))
    const onChange = vi.fn()
    const stop = files.watch?.('d', onChange)
    await turn()
    expect(onChange).not.toHaveBeenCalled()
    stop?.()
  })
})
