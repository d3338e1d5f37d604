import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createPlace, PNG, sha256 } from '../support/attachments/place.ts'

/** Sends a request as it is written, and nothing after it. Resolves to all that the host says before it hangs up. */
async function send(url: string, length: string, body: Buffer): Promise<string> {
  const { hostname, port, host, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  const head = [
    `POST ${pathname}?toolCallId=c1&question=q&type=image/png HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/octet-stream',
    length,
    'Connection: close',
  ]
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]))
  return text(socket)
}
const codeOf = (reply: string): number => Number(reply.split(' ')[1])

describe('an upload', () => {
  it.each([
    ['ends before its Content-Length', `Content-Length: ${PNG.length + 1}`, PNG],
    ['has a Content-Length that is no number', 'Content-Length: many', PNG],
    ['has two lengths', `Content-Length: ${PNG.length}\r\nContent-Length: 1`, PNG],
    ['ends in the middle of a chunk', 'Transfer-Encoding: chunked', Buffer.from('ff\r\nabc')],
    ['ends before the last chunk', 'Transfer-Encoding: chunked', Buffer.from('3\r\nabc\r\n')],
  ])('that %s leaves no file', async (_, length, body) => {
    const { ask, url, names, upload } = await createPlace()
    void (await ask())
    expect(codeOf(await send(url, length, body))).not.toBe(200)
    await expect.poll(names).toEqual([])
    expect(await upload(PNG)).toMatchObject({ status: 200 })
  })

  it('may have as many bytes as its question takes, and not one more', async () => {
    const { ask, upload, names } = await createPlace({ maxBytes: 262_145 })
    void (await ask())
    const full = Buffer.alloc(262_145)
    expect(await upload(full, 'text/plain')).toMatchObject({ status: 200, file: { size: full.length } })
    const over = await upload(Buffer.alloc(262_146), 'text/plain')
    expect([over.status, over.error?.code]).toEqual([413, 'TOO_LARGE'])
    expect(await names()).toEqual([sha256(full)])
  })
})
