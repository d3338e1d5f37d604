import { setImmediate as turn } from 'node:timers/promises'
import { AskError } from '@sandagent/core'
import type { RunFiles } from '@sandagent/files'
import { describe, expect, it, vi } from 'vitest'
import { fileHandlers } from '../../src/relay/file-handlers.ts'

function handling(files: Partial<RunFiles>) {
  const stop = new AbortController()
  const emit = vi.fn(async (_: unknown) => {})
  const task = { again: false, signal: stop.signal, emit, onInput: () => {} }
  return { handlers: fileHandlers(files as RunFiles), task, emit, stop }
}

describe('a file that is written', () => {
  const conflict = new AskError('CONFLICT', 'It is there')
  const writing = (text: string | null, failure: Error | null = conflict) => {
    const writeAtomic = vi.fn(async () => {
      if (failure) throw failure
    })
    return { writeAtomic, ...handling({ writeAtomic, read: async () => text }) }
  }
  const args = { path: 'f', text: 'mine', exclusive: true, claim: '.f' }

  it('gets its text and options', async () => {
    const { handlers, task, writeAtomic } = writing(null, null)
    expect(await handlers.writeAtomic(args, task)).toBeNull()
    expect(writeAtomic.mock.calls).toEqual([['f', 'mine', { exclusive: true, claim: '.f' }]])
  })

  it('was written by the same request before if its text is there', async () => {
    const { handlers, task } = writing('mine')
    expect(await handlers.writeAtomic(args, { ...task, again: true })).toBeNull()
  })

  it.each<[string, string | null, boolean, Error]>([
    ['is another one', 'other', true, conflict],
    ['has gone', null, true, conflict],
    ['was there at the first request', 'mine', false, conflict],
    ['cannot be written', 'mine', true, new AskError('UNSAFE_PATH', 'A link')],
    ['finds a full disk', 'mine', true, new Error('no space')],
  ])('fails if it %s', async (_, text, again, failure) => {
    const { handlers, task } = writing(text, failure)
    await expect(handlers.writeAtomic(args, { ...task, again })).rejects.toBe(failure)
  })
})

it.each([
  [0, []],
  [1, [1]],
  [1000, [1000]],
  [1001, [1000, 1]],
])('a list of %d names comes in pieces', async (count, sizes) => {
  const names = Array.from({ length: count }, (_, index) => `${index}`)
  const { handlers, task, emit } = handling({ list: async () => names })
  expect(await handlers.list({ directory: 'd' }, task)).toBeNull()
  const pieces = emit.mock.calls.map(([piece]) => piece as string[])
  expect(pieces.map(({ length }) => length)).toEqual(sizes)
  expect(pieces.flat()).toEqual(names)
})

it('bytes come as base64, those of the piece alone', async () => {
  const readFrom = vi.fn(async (path: string) => (path === 'f' ? Buffer.from('xabcx').subarray(1, 4) : null))
  const { handlers, task } = handling({ readFrom })
  expect(await handlers.readFrom({ path: 'f', offset: 2, most: 3 }, task)).toBe(
    Buffer.from('abc').toString('base64'),
  )
  expect(readFrom).toHaveBeenCalledWith('f', 2, 3)
  expect(await handlers.readFrom({ path: 'g', offset: 0 }, task)).toBeNull()
})

it('each other call reaches its file', async () => {
  const calls: unknown[] = []
  const note = (name: string, value?: unknown) => async (path: string) => {
    calls.push([name, path])
    return value as never
  }
  const { handlers, task } = handling({
    ...{ read: note('read', 'text'), stat: note('stat', { size: 1, modifiedAt: 2 }) },
    ...{ sync: note('sync'), remove: note('remove') },
  })
  expect(await handlers.read({ path: 'a' }, task)).toBe('text')
  expect(await handlers.stat({ path: 'b' }, task)).toEqual({ size: 1, modifiedAt: 2 })
  expect(await handlers.sync({ directory: 'c' }, task)).toBeNull()
  expect(await handlers.remove({ path: 'd' }, task)).toBeNull()
  expect(calls).toEqual([
    ['read', 'a'],
    ['stat', 'b'],
    ['sync', 'c'],
    ['remove', 'd'],
  ])
  expect(await handling({}).handlers.sync({ directory: 'c' }, task)).toBeNull()
})

describe('a watched folder', () => {
  const watching = () => {
    let onChange = (_: string | null): void => {}
    const stopped = vi.fn()
    const watch = (_: string, callback: typeof onChange) => {
      onChange = callback
      return stopped
    }
    const given = handling({ watch })
    const done = given.handlers.watch({ directory: 'd' }, given.task)
    return { ...given, done, stopped, change: (name: string | null) => onChange(name) }
  }

  it('reports each change', async () => {
    const { change, emit, stop, done, stopped } = watching()
    for (const name of ['a', null, 'b']) {
      change(name)
      await turn()
    }
    expect(emit.mock.calls).toEqual([['a'], [null], ['b']])
    expect(stopped).not.toHaveBeenCalled()
    stop.abort()
    expect(await done).toBeNull()
    expect(stopped).toHaveBeenCalledOnce()
  })

  it('reports changes together while its host has no room', async () => {
    const { change, emit } = watching()
    let go = (): void => {}
    emit.mockImplementation(() => new Promise((resolve) => (go = resolve)))
    for (const name of ['a', 'b', 'c']) change(name)
    expect(emit.mock.calls).toEqual([['a']])
    go()
    await turn()
    expect(emit.mock.calls).toEqual([['a'], [null]])
    go()
    await turn()
    change('d')
    expect(emit.mock.calls).toEqual([['a'], [null], ['d']])
  })

  it('ends at once for a host that has gone, and where nothing can be watched', async () => {
    const { handlers, task } = handling({})
    expect(await handlers.watch({ directory: 'd' }, { ...task, signal: AbortSignal.abort() })).toBeNull()
  })
})
