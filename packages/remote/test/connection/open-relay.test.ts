import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { AskError } from '@sandagent/core'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import type { Connection } from '../../src/connection/connection.ts'
import {
  isOtherVersion,
  type OpenOptions,
  type OpenRelay,
  openRelay,
} from '../../src/connection/open-relay.ts'
import { frameText } from '../../src/protocol/frames.ts'
import { MAX_BANNER_BYTES, MAX_LINE_BYTES } from '../../src/protocol/limits.ts'

const hello = (facts: object = {}) =>
  `${JSON.stringify({ sandagent: 'relay', protocol: 1, version: '1', ...facts })}\n`

/** Opens a connection whose other end is the test. */
function opening({ replyTo, ...own }: Partial<OpenOptions> & Pick<Connection, 'end'> = {}) {
  const clock = createFakeClock()
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  let close = (_?: string): void => {}
  const closed = new Promise<string | undefined>((resolve) => {
    close = resolve
  })
  const onFrame = vi.fn()
  const connect = vi.fn((): Connection | Promise<Connection> => ({ stdin, stdout, closed, ...own }))
  const mostBytes = vi.fn(() => MAX_LINE_BYTES)
  const opened = openRelay({ connect, argv: ['relay', '-q'], replyTo, onFrame, mostBytes, clock, ...own })
  const state: { relay?: OpenRelay; error?: unknown; lost?: string } = {}
  opened.then(
    (relay) => {
      state.relay = relay
      void relay.lost.then((reason) => {
        state.lost = reason
      })
    },
    (error) => {
      state.error = error
    },
  )
  return {
    ...{ clock, stdin, stdout, opened, onFrame, mostBytes, connect, state },
    close: (reason?: string) => close(reason),
    /** Says something, and lets it arrive. */
    async say(text: string) {
      stdout.write(text)
      await settled()
    },
    sent: () => String(stdin.read() ?? ''),
    isDisconnected: () => stdin.destroyed && stdout.destroyed,
  }
}

async function settled(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await turn()
}

/** A relay that has said hello. */
async function open(own: Parameters<typeof opening>[0] = {}) {
  const opening_ = opening(own)
  await opening_.say(hello())
  return { ...opening_, relay: await opening_.opened }
}

describe('a relay', () => {
  it('is started with its command line, and is open once it has said hello', async () => {
    const { connect, state, say, clock } = opening()
    await settled()
    expect(connect.mock.calls).toEqual([[['relay', '-q']]])
    await say('Welcome!\r\n\n')
    expect(state).toEqual({})
    await say(hello())
    expect(state.relay).toBeDefined()
    clock.advance(30_000 - 25_000)
    expect(state.lost).toBeUndefined()
  })

  it('gets requests as lines, and gives its frames with their sizes', async () => {
    const { relay, sent, say, onFrame } = await open()
    relay.send({ id: 1, call: 'read', args: { path: 'f' } })
    expect(sent()).toBe('{"id":1,"call":"read","args":{"path":"f"}}\n')
    const [first, second] = [frameText({ id: 1, value: 'ä' }), frameText({ id: 2, value: null })]
    await say(first.slice(0, 5))
    expect(onFrame).not.toHaveBeenCalled()
    await say(first.slice(5) + second)
    expect(onFrame.mock.calls).toEqual([
      [{ id: 1, value: 'ä' }, first.length],
      [{ id: 2, value: null }, second.length],
    ])
  })

  it('gets no request that is too long', async () => {
    const { relay, sent } = await open()
    const lengthOf = (text: string) => Buffer.byteLength(frameText({ id: 1, input: text }))
    const longest = `${'ü'.repeat(1000)}${'x'.repeat(MAX_LINE_BYTES - lengthOf('ü'.repeat(1000)))}`
    expect(() => relay.send({ id: 1, input: `${longest}x` })).toThrow(
      expect.objectContaining({ code: 'TOO_LARGE' }),
    )
    expect(sent()).toBe('')
    relay.send({ id: 1, input: longest })
    expect(sent()).not.toBe('')
  })

  it('is asked whether it is there, and is lost when it does not answer', async () => {
    const { clock, sent, say, state, isDisconnected } = await open()
    clock.advance(25_000)
    expect(sent()).toBe('{"ping":true}\n')
    await say('{"pong":true}\n')
    clock.advance(10_000)
    await settled()
    expect(state.lost).toBeUndefined()
    clock.advance(25_000)
    clock.advance(10_000)
    await settled()
    expect(state.lost).toBe('The relay does not answer any more')
    expect(isDisconnected()).toBe(true)
  })

  it('that was not asked whether it is there breaks the protocol', async () => {
    const { say, state, clock, onFrame } = await open()
    clock.advance(25_000)
    await say('{"pong":true}\n')
    expect(state.lost).toBeUndefined()
    await say('{"pong":true}\n'.repeat(3))
    expect(state.lost).toMatch(/^The relay breaks the protocol: It was not asked/)
    expect(onFrame).toHaveBeenCalledOnce()
  })

  it('may say no longer lines than are expected at the moment', async () => {
    const { say, state, mostBytes } = await open()
    mostBytes.mockReturnValue(30)
    await say(frameText({ id: 1, value: 'x' }))
    expect(state.lost).toBeUndefined()
    await say(frameText({ id: 1, value: 'x'.repeat(30) }))
    expect(state.lost).toMatch(/^The relay breaks the protocol: .* longer than 30 bytes/)
  })

  it('that reads nothing is lost before its requests fill the memory', async () => {
    const { relay, state, stdin } = await open()
    const input = 'x'.repeat(MAX_LINE_BYTES - 100)
    for (let count = 0; count < 8; count++) relay.send({ id: 1, input })
    await settled()
    expect(state.lost).toBeUndefined()
    relay.send({ id: 1, input })
    await settled()
    expect(state.lost).toBe('The relay reads nothing any more')
    expect(stdin.destroyed).toBe(true)
  })

  it.each([
    ['no frame', 'hello\n'],
    ['a line that is too long', 'x'.repeat(MAX_LINE_BYTES + 1)],
  ])('that says %s breaks the protocol, and is lost', async (_, text) => {
    const { say, state, clock, isDisconnected, onFrame } = await open()
    await say(text)
    expect(state.lost).toMatch(/^The relay breaks the protocol: ./)
    expect([isDisconnected(), clock.pending()]).toEqual([true, 0])
    expect(onFrame).not.toHaveBeenCalled()
  })

  it('whose frame cannot be taken is lost, and gives no more of them', async () => {
    const { say, state, onFrame } = await open()
    onFrame.mockImplementation(() => {
      throw 'no room'
    })
    await say('{"id":1,"value":null}\n{"id":2,"value":null}\n')
    await say('{"id":3,"value":null}\n')
    expect(state.lost).toBe('The relay breaks the protocol: no room')
    expect(onFrame).toHaveBeenCalledOnce()
  })

  it('is ended once, for the first reason, and then gets nothing', async () => {
    const end = vi.fn()
    const { relay, state, sent, stdout, stdin, clock } = await open({ end })
    relay.end('Enough')
    relay.end('Enough again')
    await settled()
    expect(state.lost).toBe('Enough')
    expect(end).toHaveBeenCalledOnce()
    // The connection ends its streams itself.
    expect([stdin.destroyed, stdout.destroyed, clock.pending()]).toEqual([false, false, 0])
    relay.send({ ping: true })
    expect(sent()).toBe('')
  })

  it.each([
    ['The machine is gone', 'The machine is gone'],
    [undefined, 'The connection was closed'],
  ])('is lost when its connection closes, for the reason %s', async (reason, lost) => {
    const { state, close, isDisconnected } = await open()
    close(reason)
    await settled()
    expect(state.lost).toBe(lost)
    expect(isDisconnected()).toBe(true)
  })

  it('whose output ends is lost for the reason of its connection', async () => {
    for (const reason of ['It was killed', undefined]) {
      const { state, stdout, stdin, close } = await open()
      stdin.emit('error', new Error('EPIPE'))
      stdout.destroy(new Error('ECONNRESET'))
      await settled()
      expect(state.lost).toBeUndefined()
      close(reason)
      await settled()
      expect(state.lost).toBe(reason ?? 'The connection was closed')
    }
  })
})

describe('a relay cannot be reached', () => {
  const unreachable = (reason: string) =>
    expect.objectContaining({ code: 'UNREACHABLE', message: `The sandbox cannot be reached. ${reason}` })

  it('where nobody connects, for that reason', async () => {
    const failure = new Error('No such host')
    for (const connect of [
      () => Promise.reject(failure),
      () => {
        throw failure
      },
    ]) {
      const { opened, clock } = opening({ connect })
      await expect(opened).rejects.toBe(failure)
      expect(clock.pending()).toBe(0)
    }
  })

  it('where no connection comes within 30 seconds, and one that comes later is ended', async () => {
    let arrive = (_: Connection): void => {}
    const connect = () => new Promise<Connection>((resolve) => (arrive = resolve))
    const { clock, opened, state, stdin, stdout } = opening({ connect })
    clock.advance(29_999)
    await settled()
    expect(state).toEqual({})
    clock.advance(1)
    await expect(opened).rejects.toEqual(
      unreachable('There was no connection in time. Look whether its machine runs'),
    )
    const end = vi.fn()
    arrive({ stdin, stdout, closed: new Promise(() => {}), end })
    await settled()
    expect(end).toHaveBeenCalledOnce()
  })

  it('where nobody says hello within 30 seconds, with the last line that was said', async () => {
    const { clock, say, opened, isDisconnected } = opening()
    await say('Welcome!\nPassword:\u001b[1m\n \n')
    clock.advance(30_000)
    const error = await opened.catch((error: Error) => error.message)
    expect(error).toMatch(/^The sandbox cannot be reached\. The relay did not say hello in time: Password:/)
    expect(error).not.toContain('\u001b')
    expect(isDisconnected()).toBe(true)
  })

  it('where its connection closes before the hello', async () => {
    const { say, close, opened } = opening()
    await say(`${'x'.repeat(600)}\n`)
    close('It ended with 1')
    await expect(opened).rejects.toEqual(unreachable(`It ended with 1: ${'x'.repeat(500)}`))
  })

  it('where the login prints more than a greeting', async () => {
    const line = `${'x'.repeat(1023)}\n`
    const lines = MAX_BANNER_BYTES / line.length
    const { say, opened } = opening()
    for (let count = 0; count < lines + 1; count++) await say(line)
    await expect(opened).rejects.toEqual(
      expect.objectContaining({ message: expect.stringContaining('Something else than a relay answers') }),
    )
    const { say: sayJust, state } = opening()
    await sayJust(line.repeat(lines))
    await sayJust('')
    expect(state).toEqual({})
  })

  it('where it speaks another version', async () => {
    const { say, opened, isDisconnected, clock } = opening()
    await say(hello({ protocol: 2, version: '9\u001b[1m' }))
    const error: unknown = await opened.catch((error: unknown) => error)
    expect(error).toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringMatching(/of version 9.*, speaks version 2 .* and this host version 1/),
      facts: { protocol: 2 },
    })
    expect((error as Error).message).not.toContain('\u001b')
    expect([isDisconnected(), clock.pending()]).toEqual([true, 0])
    expect(isOtherVersion(error)).toBe(true)
    expect(isOtherVersion(new AskError('UNREACHABLE', 'No'))).toBe(false)
    expect(isOtherVersion(Object.assign(new Error('No'), { facts: { protocol: 2 } }))).toBe(false)
  })
})

describe('a line before the hello', () => {
  it('may want a reply', async () => {
    const replyTo = vi.fn((line: string) => (line === 'wants' ? 'bytes' : null))
    const { say, sent, close, opened } = opening({ replyTo })
    await say('Welcome!\nwants\n')
    expect(sent()).toBe('bytes')
    expect(replyTo.mock.calls).toEqual([['Welcome!'], ['wants']])
    // What had a reply says nothing about a failure.
    close('It ended')
    await expect(opened).rejects.toMatchObject({
      message: 'The sandbox cannot be reached. It ended: Welcome!',
    })
  })

  it('that cannot have its reply ends the connection, for that reason alone', async () => {
    const replyTo = () => {
      throw new Error('Node.js v18 is too old')
    }
    const { say, opened, isDisconnected } = opening({ replyTo })
    await say('start\n')
    await expect(opened).rejects.toMatchObject({
      message: 'The sandbox cannot be reached. Node.js v18 is too old',
    })
    expect(isDisconnected()).toBe(true)
  })

  it('is no reply any more when it comes after the hello', async () => {
    const replyTo = vi.fn(() => null)
    const { say } = await open({ replyTo })
    await say('{"pong":true}\n')
    expect(replyTo).toHaveBeenCalledOnce()
  })
})
