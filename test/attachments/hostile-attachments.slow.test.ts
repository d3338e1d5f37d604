import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Attachment } from '@sandagent/core'
import { describe, expect, it } from 'vitest'
import { createPlace, PNG, sha256 } from '../support/attachments/place.ts'

/** A generator of numbers from 0 to 1, the same for each run. */
const seeded = (seed: number) => (): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}

const NAMES = [
  '../../../etc/passwd',
  '..\\..\\boot.ini',
  '/etc/shadow',
  'a\u0000.png',
  'photo\u202egnp.exe',
  'CON',
  'nul.txt',
  '.bashrc',
  '-rf',
  '',
  '.',
  '..',
  'x'.repeat(5000),
  'a\r\nset-cookie: x',
  '"><script>alert(1)</script>.png',
  '\ud800.png',
  'index.html',
]
const TYPES = [
  'image/png',
  'text/html',
  'image/svg+xml',
  'application/xhtml+xml',
  'text/javascript',
  'image/png; charset=utf-7',
  '../../x',
  'text/html\r\nx: y',
  '',
  'IMAGE/PNG',
  'multipart/x-mixed-replace',
]
const html = Buffer.from('<html><script>parent.hacked = true</script>')
const BODIES = [
  PNG,
  html,
  Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  // Polyglots: an image, or a document, that is a page or an archive too.
  Buffer.concat([PNG, html]),
  Buffer.concat([Buffer.from('GIF89a/*'), html, Buffer.from('*/=1;')]),
  Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), html]),
  Buffer.concat([Buffer.from('%PDF-1.7 '), html]),
  Buffer.concat([PNG, Buffer.from('PK\u0003\u0004')]),
  // A bomb: 60,000 by 60,000 pixels in a few bytes. Nothing here decodes it.
  Buffer.concat([PNG.subarray(0, 16), Buffer.from([0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]), PNG.subarray(24)]),
  Buffer.alloc(0),
  Buffer.alloc(4096, 0x41),
]
const pick = <T>(from: readonly T[], random: () => number): T => from[Math.floor(random() * from.length)] as T

describe('1,000 hostile files', () => {
  it('leave nothing outside of their folder, and are never a page', { timeout: 300_000 }, async () => {
    const { ask, upload, answer, url, names, workdir, folder } = await createPlace({ maxBytes: 4096 })
    // A question takes no more at once than a person can send.
    const ids = Array.from({ length: 25 }, (_, index) => `c${index}`)
    await Promise.all(ids.map((id) => ask(id)))
    const others = async () =>
      (await readdir(workdir, { recursive: true }))
        .filter((name) => !/attachments|approvals/.test(name))
        .sort()
    const before = await others()
    const random = seeded(42)
    const given = new Map<string, [Attachment, string]>()
    for (let n = 0; n < 1000; n++) {
      const bytes = Buffer.concat([pick(BODIES, random), Buffer.from(random() < 0.3 ? `${n % 9}` : '')])
      const id = `c${n % ids.length}`
      const { status, file } = await upload(bytes, pick(TYPES, random), id)
      if (bytes.length > 4096) expect(status).toBe(413)
      else expect(file).toMatchObject({ size: bytes.length, sha256: sha256(bytes) })
      if (status !== 200) continue
      const name = pick(NAMES, random)
      const isTaken = await answer([{ ...file, name }], id, 'pending').then(
        () => true,
        (error: { code: string }) => error.code !== 'INVALID_REQUEST',
      )
      expect(isTaken).toBe(name === '-rf' || name === 'index.html')
      given.set(file.sha256, [{ ...file, name: 'a' }, id])
    }
    expect(await others()).toEqual(before)
    const stored = (await names()).filter((name) => name !== '.swept')
    expect(stored.length).toBe(given.size)
    for (const name of stored) {
      expect(name).toMatch(/^[0-9a-f]{64}(\.(png|jpg|gif|pdf))?$/)
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    }
    for (const [file, id] of given.values()) {
      await answer([file], id, 'pending')
      const reply = await fetch(`${url}?toolCallId=${id}&file=${file.sha256}`)
      expect(reply.status).toBe(200)
      expect(sha256(Buffer.from(await reply.arrayBuffer()))).toBe(file.sha256)
      expect(reply.headers.get('content-type')).toMatch(/^(image\/(png|jpeg|gif)|application\/octet-stream)$/)
      expect(reply.headers.get('content-disposition')).toMatch(/^attachment;/)
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
      expect(reply.headers.get('content-security-policy')).toContain('sandbox')
    }
  })
})
