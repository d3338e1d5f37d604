import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { AskError } from '@sandagent/core'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { EVENT_WINDOW_BYTES, MAX_TASKS } from '../../src/protocol/limits.ts'
import { serveRelay } from '../../src/relay/serve-relay.ts'

type Frame = { id: number; value?: unknown; error?: { code: string }; event?: unknown }

/** A relay of a sandbox with these parts. `frames` has what it said after the hello. */
function serving(parts: { files?: object; detached?: object; spawn?: () => Promise<unknown> } = {}) {
  const clock = createFakeClock()
  const [input, output] = [new PassThrough(), new PassThrough()]
  let said = ''
  output.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const lines = () => said.split('\n').slice(0, -1)
  const sandbox = { workdir: '/', files: {}, detached: {}, ...parts } as never
  const served = serveRelay({ sandbox, input, output, version: '7', clock })
  onTestFinished(async () => {
    input.destroy()
    for (let turns = 0; turns < 3; turns++) await turn()
    clock.advance(6000)
    await served.catch(() => {})
  })
  return {
    ...{ clock, input, output, served, lines },
    frames: (): Frame[] =>
      lines()
        .slice(1)
        .map((line) => JSON.parse(line)),
    send: (frame: object) => void input.write(`${JSON.stringify(frame)}\n`),
  }
}

/** Lets everything happen that waits for nothing. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await turn()
}

const never = () => new Promise<never>(() => {})

it('a relay says hello first, and answers a ping', async () => {
  const { lines, send } = serving()
  await vi.waitFor(() => expect(lines()).toHaveLength(1))
  expect(JSON.parse(lines()[0] as string)).toEqual({ sandagent: 'relay', protocol: 1, version: '7' })
  send({ ping: true })
  await vi.waitFor(() => expect(lines().slice(1)).toEqual(['{"pong":true}']))
})

describe('a request', () => {
  it('gets the value of its call, or its error', async () => {
    const read = async (path: string) => {
      if (path === 'link') throw new AskError('UNSAFE_PATH', 'A link')
      return `text of ${path}`
    }
    const { send, frames } = serving({ files: { read } })
    send({ id: 1, call: 'read', args: { path: 'f' } })
    send({ id: 2, call: 'read', args: { path: 'link' } })
    await vi.waitFor(() => expect(frames()).toHaveLength(2))
    expect(frames()).toEqual([
      { id: 1, value: 'text of f' },
      { id: 2, error: { code: 'UNSAFE_PATH', message: 'A link', facts: {} } },
    ])
  })

  it.each([
    ['fly', {}],
    ['toString', {}],
    ['read', {}],
    ['read', { path: 7 }],
  ])('is refused where the call is %s with %j', async (call, args) => {
    const { send, frames } = serving({ files: { read: async () => null } })
    send({ id: 1, call, args })
    await vi.waitFor(() => expect(frames()).toMatchObject([{ id: 1, error: { code: 'INVALID_REQUEST' } }]))
    send({ id: 2, call: 'read', args: { path: 'f' } })
    await vi.waitFor(() => expect(frames()[1]).toEqual({ id: 2, value: null }))
  })

  it('that comes again counts as done if it was done before', async () => {
    const writeAtomic = () => Promise.reject(new AskError('CONFLICT', 'It is there'))
    const { send, frames } = serving({ files: { writeAtomic, read: async () => 'mine' } })
    const write = { call: 'writeAtomic', args: { path: 'f', text: 'mine', exclusive: true } }
    send({ id: 1, ...write })
    send({ id: 2, ...write, again: true })
    await vi.waitFor(() => expect(frames()).toHaveLength(2))
    expect(frames().sort((a, b) => a.id - b.id)).toMatchObject([
      { id: 1, error: { code: 'CONFLICT' } },
      { id: 2, value: null },
    ])
  })

  it('too many is refused, until another one has ended', async () => {
    const { send, frames } = serving({
      files: { watch: () => () => {}, read: async () => null },
      detached: { isRunning: never },
    })
    send({ id: 1, call: 'watch', args: { directory: 'd' } })
    for (let id = 2; id <= MAX_TASKS; id++) send({ id, call: 'isRunning', args: { handle: 'h' } })
    send({ id: MAX_TASKS + 1, call: 'read', args: { path: 'f' } })
    await vi.waitFor(() =>
      expect(frames()).toMatchObject([{ id: MAX_TASKS + 1, error: { code: 'TOO_LARGE' } }]),
    )
    send({ id: 1, cancel: true })
    await settled()
    send({ id: MAX_TASKS + 2, call: 'read', args: { path: 'f' } })
    await vi.waitFor(() => expect(frames()[1]).toEqual({ id: MAX_TASKS + 2, value: null }))
  })

  it('that is cancelled stops its work, and gets no reply', async () => {
    const stopped = vi.fn()
    let change = (_: string): void => {}
    const watch = (_: string, onChange: (name: string) => void) => {
      change = onChange
      return stopped
    }
    const { send, frames } = serving({ files: { watch } })
    send({ id: 1, call: 'watch', args: { directory: 'd' } })
    await settled()
    change('a')
    await vi.waitFor(() => expect(frames()).toEqual([{ id: 1, event: 'a' }]))
    expect(stopped).not.toHaveBeenCalled()
    send({ id: 1, cancel: true })
    await vi.waitFor(() => expect(stopped).toHaveBeenCalledOnce())
    change('b')
    await settled()
    expect(frames()).toHaveLength(1)
  })

  it('that is not there any more gets inputs and cancellations in vain', async () => {
    const { send, lines } = serving()
    for (const frame of [{ taken: 7 }, { cancel: true }, { input: {} }]) send({ id: 9, ...frame })
    send({ ping: true })
    await vi.waitFor(() => expect(lines().slice(1)).toEqual(['{"pong":true}']))
  })
})

describe('the events of a request', () => {
  /** Lists names whose first event has as many bytes as given, with its line feed. */
  const listing = (...sizes: number[]) => {
    const frame = (names: string[]) => `${JSON.stringify({ id: 1, event: names })}\n`
    const names = sizes.flatMap((size) => {
      const piece = Array.from({ length: 1000 }, () => 'n')
      piece[0] = 'n'.repeat(1 + size - frame(piece).length)
      expect(frame(piece)).toHaveLength(size)
      return piece
    })
    const relay = serving({ files: { list: async () => names } })
    relay.send({ id: 1, call: 'list', args: { directory: 'd' } })
    return relay
  }

  it('wait when more of them are under way than the window has', async () => {
    const { send, frames } = listing(EVENT_WINDOW_BYTES, 10_000, 10_000)
    await vi.waitFor(() => expect(frames()).toHaveLength(2))
    await settled()
    expect(frames()).toHaveLength(2)
    send({ id: 1, taken: 9_999 })
    await settled()
    expect(frames()).toHaveLength(2)
    send({ id: 1, taken: EVENT_WINDOW_BYTES })
    await vi.waitFor(() => expect(frames()).toHaveLength(4))
    expect(frames()[3]).toEqual({ id: 1, value: null })
  })

  it('of a program do not hold it back once its request was cancelled', async () => {
    const child = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
    let end = (_: object): void => {}
    const ended = new Promise((resolve) => {
      end = resolve
    })
    const { send, frames } = serving({ spawn: async () => ({ ...child, pid: 7, ended, kill() {} }) })
    send({ id: 1, call: 'spawn', args: { command: 'x', args: [] } })
    await vi.waitFor(() => expect(frames()).toEqual([{ id: 1, event: { pid: 7 } }]))
    send({ id: 1, input: { stdin: Buffer.from('in').toString('base64') } })
    await vi.waitFor(() => expect(frames()).toContainEqual({ id: 1, event: { written: true } }))
    expect(String(child.stdin.read())).toBe('in')
    child.stderr.end()
    for (let pieces = 0; pieces < 8; pieces++) child.stdout.write(Buffer.alloc(EVENT_WINDOW_BYTES / 4))
    const held = () => child.stdout.readableLength + child.stdout.writableLength
    await settled()
    expect(held()).toBeGreaterThan(0)
    const { length } = frames()
    send({ id: 1, cancel: true })
    await vi.waitFor(() => expect(held()).toBe(0))
    child.stdout.end()
    end({ exitCode: 0, signal: null })
    await settled()
    expect(frames()).toHaveLength(length)
  })
})

describe('a relay ends', () => {
  it('with its input', async () => {
    const { input, served, clock } = serving()
    input.end()
    await served
    expect(clock.pending()).toBeLessThanOrEqual(1)
  })

  it('when its host can hear it no more', async () => {
    const { output, served } = serving()
    output.destroy(new Error('EPIPE'))
    await served
  })

  it('when its host has said nothing for 90 seconds', async () => {
    const { clock, send, frames, served } = serving()
    const over = vi.fn()
    void served.then(over)
    for (const pings of [1, 2]) {
      clock.advance(60_000)
      send({ ping: true })
      await vi.waitFor(() => expect(frames()).toHaveLength(pings))
    }
    clock.advance(89_999)
    await settled()
    expect(over).not.toHaveBeenCalled()
    clock.advance(1)
    await served
  })

  it('when its host says nothing at all', async () => {
    const { clock, served } = serving()
    clock.advance(90_000)
    await served
  })

  it.each<[string, (input: PassThrough) => void, object]>([
    ['is no request', (input) => void input.write('hello\n'), { code: 'INVALID_REQUEST' }],
    ['cannot be read', (input) => void input.destroy(new Error('EIO')), { message: 'EIO' }],
  ])('with an error by an input that %s', async (_, break_, error) => {
    const { input, served, clock } = serving()
    break_(input)
    await expect(served).rejects.toMatchObject(error)
    expect(clock.pending()).toBeLessThanOrEqual(1)
  })

  it('when its requests have ended, which it stops', async () => {
    const stop = vi.fn()
    const names = Array.from({ length: 3000 }, () => 'n'.repeat(2000))
    const list = vi.fn(async () => names)
    const { input, send, served, frames } = serving({ files: { watch: () => stop, list } })
    send({ id: 1, call: 'watch', args: { directory: 'd' } })
    send({ id: 2, call: 'list', args: { directory: 'd' } })
    await vi.waitFor(() => expect(frames()).toHaveLength(1))
    input.end()
    await served
    expect(stop).toHaveBeenCalledOnce()
    expect(frames()).toHaveLength(1)
  })

  it('after six seconds at the latest, even if a request goes on', async () => {
    const { input, send, served, clock } = serving({ detached: { isRunning: never } })
    const over = vi.fn()
    void served.then(over)
    send({ id: 1, call: 'isRunning', args: { handle: 'h' } })
    await settled()
    input.end()
    await settled()
    clock.advance(5_999)
    await settled()
    expect(over).not.toHaveBeenCalled()
    clock.advance(1)
    await served
  })
})
