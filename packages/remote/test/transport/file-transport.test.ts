import { setImmediate as turn } from 'node:timers/promises'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { fileTransport, twoWayFileTransport } from '../../src/transport/file-transport.ts'

function transporting(longestPauseMs?: number) {
  const written = new Map<string, string>()
  const replies = new Map<string, Buffer>()
  const clock = createFakeClock()
  let reads = 0
  const transport = twoWayFileTransport(['relay', '-x'], {
    writeFile: async (path, bytes) => void written.set(path, bytes.toString()),
    readFile: async (path) => {
      reads++
      return replies.get(path) ?? null
    },
    clock,
    longestPauseMs,
  })
  const folder = transport.argv[3] as string
  const reply = (index: number, text: string) => replies.set(`${folder}/reply-${index}`, Buffer.from(text))
  return { transport, written, clock, folder, reply, reads: () => reads }
}

it('requests go in numbered files of a folder of its own', async () => {
  const written: [string, string][] = []
  const writeFile = async (path: string, bytes: Buffer) => void written.push([path, bytes.toString()])
  const { argv, send, end } = fileTransport(['relay', '-x'], { writeFile })
  const other = fileTransport(['relay'], { writeFile, node: '/opt/node' })
  const [node, flag, , folder, replies, ...rest] = argv
  expect([node, flag, replies, rest]).toEqual(['node', '-e', 'log', ['relay', '-x']])
  expect([other.argv[0], other.argv[3] === folder]).toEqual(['/opt/node', false])
  await send(Buffer.from('äb'))
  await send(Buffer.from('c'))
  await end()
  expect(written).toEqual([
    [`${folder}/0`, '3 0\näb'],
    [`${folder}/1`, '1 0\nc'],
    [`${folder}/end`, 'end'],
  ])
})

describe('replies in files', () => {
  it('come in their order until the last one, and the next request says how many were read', async () => {
    const { transport, reply, written, folder } = transporting()
    expect(transport.argv[4]).toBe('files')
    reply(0, '3\none')
    reply(1, '0\n')
    reply(2, '3\ntwo')
    reply(3, 'end\n')
    const printed: string[] = []
    await transport.receive(
      async (piece) => void printed.push(Buffer.from(piece).toString()),
      new AbortController().signal,
    )
    expect(printed).toEqual(['one', '', 'two'])
    await transport.send(Buffer.from('x'))
    expect(written.get(`${folder}/0`)).toBe('1 3\nx')
  })

  it.each(['', '3', '3\non', 'thr', '4\none', 'x\none'])(
    'are not taken before they are complete: %j',
    async (part) => {
      const { transport, reply, clock } = transporting()
      reply(0, part)
      const printed: string[] = []
      const stop = new AbortController()
      const receiving = transport.receive(
        async (piece) => void printed.push(Buffer.from(piece).toString()),
        stop.signal,
      )
      await clock.whenPending()
      expect(printed).toEqual([])
      reply(0, '3\none')
      clock.advance(20)
      await clock.whenPending()
      expect(printed).toEqual(['one'])
      stop.abort()
      await receiving
      expect(clock.pending()).toBe(0)
    },
  )

  it('are looked for after pauses that grow to the longest one, and at once after a request', async () => {
    const { transport, clock, reads } = transporting(50)
    const stop = new AbortController()
    const receiving = transport.receive(async () => {}, stop.signal)
    for (const [index, pauseMs] of [20, 30, 45, 50, 50].entries()) {
      await clock.whenPending()
      expect(reads()).toBe(index + 1)
      clock.advance(pauseMs - 1)
      await turn()
      expect(reads()).toBe(index + 1)
      clock.advance(1)
    }
    await clock.whenPending()
    await transport.send(Buffer.from('x'))
    await turn()
    expect(reads()).toBe(7)
    clock.advance(20)
    await turn()
    expect(reads()).toBe(8)
    stop.abort()
    await receiving
  })

  it('that are too long end the transport', async () => {
    const { transport, reply } = transporting()
    const large = (bytes: number) => `${bytes}\n${'x'.repeat(bytes)}`
    reply(0, large(1024 * 1024))
    reply(1, large(1024 * 1024 + 100))
    const printed: number[] = []
    const receiving = transport.receive(
      async ({ length }) => void printed.push(length),
      new AbortController().signal,
    )
    await expect(receiving).rejects.toMatchObject({ code: 'TOO_LARGE' })
    expect(printed).toEqual([1024 * 1024])
  })
})
