import { describe, expect, it, vi } from 'vitest'
import { readEvents } from '../../src/react/read-events.ts'

const streamOf = (...chunks: Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })

async function read(...chunks: Uint8Array[]): Promise<string[]> {
  const events: string[] = []
  for await (const data of readEvents(streamOf(...chunks), () => {})) events.push(data)
  return events
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('readEvents', () => {
  it('reads the data of events, without comments and other fields', async () => {
    const text = ': hello\n\ndata: one\n\nevent: x\nid: 7\ndata:two\ndata: lines\n\n'
    expect(await read(bytes(text))).toEqual(['one', 'two\nlines'])
  })

  it('reads the same however the bytes are cut, between line ends and inside letters too', async () => {
    const all = bytes('data: schön 👋\r\n\r\ndata: next\n\n')
    for (let at = 0; at <= all.length; at++)
      expect(await read(all.slice(0, at), all.slice(at))).toEqual(['schön 👋', 'next'])
  })

  it('drops an event that never ended', async () => {
    expect(await read(bytes('data: one\n\ndata: tw'))).toEqual(['one'])
  })

  it('tells of every sign of life', async () => {
    const onBytes = vi.fn()
    for await (const _ of readEvents(streamOf(bytes(':\n\n'), bytes(':\n\n')), onBytes));
    expect(onBytes).toHaveBeenCalledTimes(2)
  })

  it('lets the stream go when the reader leaves', async () => {
    const cancel = vi.fn()
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytes('data: one\n\n')),
      cancel,
    })
    for await (const _ of readEvents(stream, () => {})) break
    expect(cancel).toHaveBeenCalledOnce()
  })
})
