import { describe, expect, it, vi } from 'vitest'
import { readServerEvents, type ServerEvent } from '../../../src/lib/streams/server-sent-events.ts'

const streamOf = (...chunks: Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })

async function read(...chunks: Uint8Array[]): Promise<ServerEvent[]> {
  const events: ServerEvent[] = []
  for await (const event of readServerEvents(streamOf(...chunks), () => {})) events.push(event)
  return events
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('readServerEvents', () => {
  it('reads the name and the data of events, nothing of comments and other fields', async () => {
    const text = ': hello\n\ndata: one\n\nevent: x\nid: 7\ndata:two\ndata: lines\n\n'
    expect(await read(bytes(text))).toEqual([
      { event: '', data: '' },
      { event: '', data: 'one' },
      { event: 'x', data: 'two\nlines' },
    ])
  })

  it('reads the same however the bytes are cut, between line ends and inside letters too', async () => {
    const all = bytes('data: schön 👋\r\n\r\ndata: next\n\n')
    for (let at = 0; at <= all.length; at++)
      expect((await read(all.slice(0, at), all.slice(at))).map(({ data }) => data)).toEqual([
        'schön 👋',
        'next',
      ])
  })

  it('drops an event that never ended', async () => {
    expect(await read(bytes('data: one\n\ndata: tw'))).toEqual([{ event: '', data: 'one' }])
  })

  it('tells of every sign of life', async () => {
    const onBytes = vi.fn()
    for await (const _ of readServerEvents(streamOf(bytes(':\n\n'), bytes(':\n\n')), onBytes));
    expect(onBytes).toHaveBeenCalledTimes(2)
  })

  it('lets the stream go when the reader leaves', async () => {
    const cancel = vi.fn()
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytes('data: one\n\n')),
      cancel,
    })
    for await (const _ of readServerEvents(stream, () => {})) break
    expect(cancel).toHaveBeenCalledOnce()
  })
})
