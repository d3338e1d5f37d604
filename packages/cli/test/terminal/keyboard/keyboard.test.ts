import { ARRIVAL_GUARD_MS } from '@sandagent/core/internal'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createKeyboard } from '../../../src/terminal/keyboard/keyboard.ts'
import { createFakeTerminal } from '../../fake-terminal.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** A keyboard, each change between raw mode (`true`) and the terminal's own, and what reached whom. */
function open() {
  const { io } = createFakeTerminal()
  const modes: boolean[] = []
  io.stdin.setRawMode = (mode) => modes.push(mode)
  const got: string[] = []
  const keyboard = createKeyboard(io)
  onTestFinished(() => {
    // Then it does not wait until nobody types.
    io.interrupt('SIGTERM')
    return keyboard.close()
  })
  return {
    io,
    keyboard,
    modes,
    got,
    reader: (name: string) => ({ onKey: ({ text }: { text: string }) => void got.push(`${name} ${text}`) }),
    type: (text: string) => void io.stdin.emit('data', Buffer.from(text)),
    /** Time passes in which nobody types. */
    async wait() {
      await vi.advanceTimersByTimeAsync(ARRIVAL_GUARD_MS)
    },
  }
}

it('a terminal stays raw while its keys pass from one reader to the next, and is given back when nobody reads', async () => {
  const { io, keyboard, modes, got, reader, type, wait } = open()
  const stopLine = keyboard.read(reader('line'))
  type('a')
  const stopForm = keyboard.read(reader('form'))
  type('b')
  stopForm()
  type('c')
  stopLine()
  // The next one comes before it was quiet.
  type('d')
  const stopNext = keyboard.read(reader('next'))
  await wait()
  type('e')
  expect(got).toEqual(['line a', 'form b', 'line c', 'next e'])
  expect(new Set(modes)).toEqual(new Set([true]))
  stopNext()
  await wait()
  expect(modes.at(-1)).toBe(false)
  expect(io.stdin.listenerCount('data')).toBe(0)
})

it('is not given back while a person types on', async () => {
  const { keyboard, modes, reader, type, wait } = open()
  const stop = keyboard.read(reader('form'))
  stop()
  await vi.advanceTimersByTimeAsync(ARRIVAL_GUARD_MS - 1)
  type('on')
  await vi.advanceTimersByTimeAsync(ARRIVAL_GUARD_MS - 1)
  expect(modes).not.toContain(false)
  await wait()
  expect(modes.at(-1)).toBe(false)
})

it('Ctrl-C is for the last reader that takes it, and else it interrupts the program', () => {
  const { io, keyboard, got, reader, type } = open()
  const stopAside = keyboard.read({ onCtrlC: () => void got.push('left') })
  keyboard.read(reader('form'))
  type('\u0003')
  expect(got).toEqual(['left'])
  expect(io.signal.aborted).toBe(false)
  stopAside()
  type('\u0003')
  expect(io.signal.reason).toBe('SIGINT')
})

it('a reader is given no paste that began for another one', async () => {
  const { keyboard, got, reader, type } = open()
  const stopForm = keyboard.read(reader('form'))
  type('\u001b[200~for the form')
  stopForm()
  keyboard.read(reader('next'))
  type('\u001b[201~')
  vi.advanceTimersByTime(100)
  await new Promise(setImmediate)
  type('a')
  expect(got).toEqual(['next a'])
})

it('another program has the terminal as it was, once nobody types, and the reader gets it back', async () => {
  const { io, keyboard, modes, got, reader, type, wait } = open()
  keyboard.read(reader('form'))
  let end = (): void => {}
  const lent = keyboard.lend(async () => {
    expect(modes.at(-1)).toBe(false)
    expect(io.stdin.listenerCount('data')).toBe(0)
    await new Promise<void>((resolve) => {
      end = resolve
    })
  })
  expect(modes).not.toContain(false)
  type('typed on')
  await wait()
  expect(modes.at(-1)).toBe(false)
  end()
  await lent
  expect(modes.at(-1)).toBe(true)
  type('a')
  expect(got).toEqual(['form a'])
})

it('lines are the terminal’s, keys that hide a secret are taken above them, and a half line is nobody’s', async () => {
  const { keyboard, modes, got, reader, type, wait } = open()
  keyboard.read({ onLine: (line) => void got.push(`line ${line}`) })
  type('né\nbeg')
  const stopSecret = keyboard.read(reader('secret'))
  expect(modes.at(-1)).toBe(true)
  type('s')
  stopSecret()
  await wait()
  expect(modes.at(-1)).toBe(false)
  type('un\r\n')
  expect(got).toEqual(['line né', 'secret s', 'line un'])
})
