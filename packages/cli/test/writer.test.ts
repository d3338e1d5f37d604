import { PassThrough, Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createWriter } from '../src/writer.ts'

const failing = (code: string) =>
  new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })),
  })

describe('createWriter', () => {
  it('waits until the reader takes more', async () => {
    const stream = new PassThrough({ highWaterMark: 1 })
    const write = createWriter(stream)
    let written = 0
    const writing = write('a')
      .then(() => write('b'))
      .then(() => written++)
    await new Promise((resolve) => setImmediate(resolve))
    expect(written).toBe(0)
    stream.resume()
    await writing
    expect(written).toBe(1)
  })

  it('drops what follows when the reader has gone away', async () => {
    const write = createWriter(failing('EPIPE'))
    await write('a')
    await write('b')
  })

  it('fails with every other fault', async () => {
    await expect(createWriter(failing('ENOSPC'))('a')).rejects.toThrow('ENOSPC')
  })
})
