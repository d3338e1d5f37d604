import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { readAnswerText, readClaim } from '../../../src/channel/answers/answer-text.ts'
import { createLocalFiles } from '../../../src/internal.ts'

const NO_UTF8 = Buffer.from([0x7b, 0xff, 0x7d])

async function filesWith(content: string | Buffer) {
  const workdir = await tempDir()
  await writeFile(join(workdir, 'a.json'), content)
  return { workdir, files: createLocalFiles(workdir) }
}

describe('the text of an answer', () => {
  it('is read as it is, also with a replacement character that a person typed', async () => {
    for (const text of ['', 'plain', 'typed \ufffd'])
      expect(await readAnswerText((await filesWith(text)).files, 'a.json')).toBe(text)
  })

  it('is refused in another encoding', async () => {
    const { files } = await filesWith(NO_UTF8)
    await expect(readAnswerText(files, 'a.json')).rejects.toMatchObject({
      code: 'INVALID_FILE',
      message: expect.stringContaining('a.json is no UTF-8'),
      facts: { path: 'a.json' },
    })
  })

  it('is taken as it is read where nobody can look at the bytes', async () => {
    const { files } = await filesWith(NO_UTF8)
    expect(await readAnswerText({ read: files.read }, 'a.json')).toBe('{\ufffd}')
  })

  it('is read again where the file was replaced between two looks', async () => {
    const texts = ['old \ufffd', 'new \ufffd', 'new \ufffd', 'new \ufffd']
    const files = {
      read: async () => texts.shift() ?? null,
      readFrom: async () => Buffer.from('\ufffd'),
    }
    expect(await readAnswerText(files, 'a.json')).toBe('new \ufffd')
    expect(texts).toEqual([])
  })

  it('is none where the file is missing, or went away between two looks', async () => {
    expect(await readAnswerText((await filesWith('')).files, 'b.json')).toBeNull()
    const texts = ['old \ufffd']
    const files = { read: async () => texts.shift() ?? null, readFrom: async () => null }
    expect(await readAnswerText(files, 'a.json')).toBeNull()
  })
})

describe('a claim', () => {
  it('may be a folder with a file', async () => {
    const { workdir, files } = await filesWith('text')
    await mkdir(join(workdir, '.a.final'))
    expect(await readClaim(files, '.a.final')).toBeNull()
    await writeFile(join(workdir, '.a.final/claim.json'), 'claimed')
    expect(await readClaim(files, '.a.final')).toBe('claimed')
    expect(await readClaim(files, 'a.json')).toBe('text')
    expect(await readClaim(files, 'missing')).toBeNull()
  })

  it('is refused in another encoding, and for any other reason', async () => {
    const { files } = await filesWith(NO_UTF8)
    await expect(readClaim(files, 'a.json')).rejects.toMatchObject({ code: 'INVALID_FILE' })
    const broken = { read: () => Promise.reject(Object.assign(new Error('broken'), { code: 'EIO' })) }
    await expect(readClaim(broken, 'a.json')).rejects.toMatchObject({ code: 'EIO' })
  })
})
