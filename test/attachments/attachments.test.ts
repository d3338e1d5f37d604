import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { type Attachment, systemClock } from '@sandagent/core'
import { askUser } from '@sandagent/runner'
import { submitAnswer } from '@sandagent/sdk'
import { describe, expect, it } from 'vitest'
import { createPlace, PNG, sha256 } from '../support/attachments/place.ts'

describe('a file in an answer', () => {
  it('travels from the answer API to the agent, signed with its answer and stored once', async () => {
    const { ask, upload, answer, view, folder, names, url } = await createPlace({ types: ['image/*'] })
    const { outcome } = await ask()
    expect(await view()).toMatchObject({ takesFiles: true })
    const { file, status } = await upload(PNG)
    expect([status, file]).toEqual([200, { mediaType: 'image/png', size: PNG.length, sha256: sha256(PNG) }])
    await upload(PNG)
    const path = join(folder, `${sha256(PNG)}.png`)
    expect(await names()).toEqual([`${sha256(PNG)}.png`])
    const named = { ...file, name: 'screen.png' }
    await answer([named], 'c1', 'pending')
    expect((await view()).responses).toEqual({ q: { selected: [], files: [named], source: 'human' } })
    await answer([named])
    const ended = await outcome
    expect(ended.responses).toEqual({
      q: { selected: [], files: [{ ...named, path }], source: 'human' },
    })
    expect(ended.answers.q).toBe(`screen.png at ${path}`)
    expect(await readFile(path)).toEqual(PNG)
    const shown = await fetch(`${url}?toolCallId=c1&file=${file.sha256}`)
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(PNG)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': "attachment; filename*=UTF-8''screen.png",
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  })

  it('counts for a call that a restarted runner takes up', async () => {
    const { ask, upload, answer, runner } = await createPlace()
    void (await ask())
    const { file } = await upload(Buffer.from('a,b'), 'text/csv')
    await answer([{ ...file, name: 'a.csv' }])
    const { outcome } = await ask('c1', runner())
    const response = (await outcome).responses.q
    expect(response && 'files' in response && response.files?.[0]?.path).toMatch(
      /\/attachments\/[0-9a-f]{64}$/,
    )
  })

  it('of two people who send the same at once is one file, whole', async () => {
    const { ask, upload, names, folder } = await createPlace()
    void (await ask())
    const bytes = Buffer.alloc(1_000_000, 7)
    const all = await Promise.all(Array.from({ length: 8 }, () => upload(bytes, 'text/plain')))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await names()).toEqual([sha256(bytes)])
    expect(sha256(await readFile(join(folder, sha256(bytes))))).toBe(sha256(bytes))
  })

  it('is refused before it is stored where the question takes none, too many bytes, or another type', async () => {
    const { ask, upload, names } = await createPlace({ maxBytes: 100, types: ['image/png', 'text/*'] })
    void (await ask())
    const refused = async (...of: Parameters<typeof upload>) => {
      const { status, error } = await upload(...of)
      return [status, error?.code]
    }
    expect(await refused(Buffer.alloc(101), 'text/plain')).toEqual([413, 'TOO_LARGE'])
    expect(await refused(Buffer.alloc(5_000_000), 'text/plain')).toEqual([413, 'TOO_LARGE'])
    expect(await refused(Buffer.from('<svg/>'), 'image/svg+xml')).toEqual([400, 'INVALID_ANSWERS'])
    expect(await refused(Buffer.from('<html>'), 'image/png')).toEqual([400, 'INVALID_ANSWERS'])
    expect(await refused(PNG, 'image/png', 'other')).toEqual([404, 'NOT_FOUND'])
    expect(await names()).toEqual([])
  })

  it('is refused by a question that asks for none', async () => {
    const { upload, runner, view } = await createPlace()
    const asked = new AbortController()
    const questions = [{ id: 'q', question: 'Which?' }]
    const request = { toolCallId: 'c1', runId: 'run-1', questions }
    await new Promise<void>((resolve) => {
      void askUser(runner(), request, { signal: asked.signal, onAsked: () => resolve() })
    })
    expect(await view()).not.toHaveProperty('takesFiles')
    expect(await upload(PNG)).toMatchObject({ status: 400, error: { code: 'INVALID_ANSWERS' } })
    asked.abort()
  })

  it('that is not there cannot be named in an answer or a draft', async () => {
    const { ask, upload, answer } = await createPlace()
    void (await ask())
    const { file } = await upload(PNG)
    const good = { ...file, name: 'a.png' }
    for (const bad of [
      { ...good, sha256: 'a'.repeat(64) },
      { ...good, size: good.size + 1 },
      { ...good, mediaType: 'text/html' },
    ])
      for (const status of ['completed', 'pending'] as const)
        await expect(answer([bad], 'c1', status)).rejects.toMatchObject({ code: 'INVALID_ANSWERS' })
    await answer([good])
  })

  it('takes no more once its question is answered', async () => {
    const { ask, upload, answer } = await createPlace()
    const { outcome } = await ask()
    const { file } = await upload(PNG)
    await answer([{ ...file, name: 'a.png' }])
    await outcome
    expect(await upload(PNG)).toMatchObject({ status: 410, error: { code: 'GONE' } })
  })
})

describe('a hostile file', () => {
  it('that an agent puts in the folder are not taken for what a person gave', async () => {
    const { ask, upload, answer, folder, url } = await createPlace()
    const { outcome } = await ask()
    const kinds = ['other', 'gone', 'link', 'folder', 'fifo'] as const
    const files: Attachment[] = []
    for (const kind of kinds) {
      const bytes = Buffer.concat([PNG, Buffer.from(kind)])
      const { file } = await upload(bytes)
      files.push({ ...file, name: `${kind}.png` })
    }
    await answer(files, 'c1', 'pending')
    const at = (kind: (typeof kinds)[number]): string =>
      join(folder, `${files[kinds.indexOf(kind)]?.sha256}.png`)
    const secret = join(folder, '../../secret')
    await writeFile(secret, Buffer.alloc(files[2]?.size ?? 0))
    for (const kind of kinds) await rm(at(kind))
    await writeFile(at('other'), Buffer.alloc(files[0]?.size ?? 0, 1))
    await symlink(secret, at('link'))
    await mkdir(at('folder'))
    execFileSync('mkfifo', [at('fifo')])
    for (const file of files) {
      const reply = await fetch(`${url}?toolCallId=c1&file=${file.sha256}`)
      expect(reply.status).toBe(404)
    }
    // An answer that was stored before keeps its words.
    await rm(at('folder'), { recursive: true })
    await rm(at('fifo'))
    await rm(at('link'))
    await upload(Buffer.concat([PNG, Buffer.from('link')]))
    await answer([files[0], files[2]] as Attachment[])
    await rm(at('link'))
    await symlink(secret, at('link'))
    const response = (await outcome).responses.q
    const [other] = (response && 'files' in response && response.files) || []
    expect(other).toMatchObject({ missing: 'changed' })
    expect(other).not.toHaveProperty('path')
  })

  it('that is swapped while a page gets it ends early, and nothing else comes', async () => {
    const { sandbox, ask, upload, answer, folder, url } = await createPlace()
    void (await ask())
    const bytes = Buffer.alloc(600_000, 'given')
    const { file } = await upload(bytes, 'text/plain')
    await answer([{ ...file, name: 'a.txt' }], 'c1', 'pending')
    const at = `${url}?toolCallId=c1&file=${file.sha256}`
    expect(Buffer.from(await (await fetch(at)).arrayBuffer())).toEqual(bytes)
    const { readFrom } = sandbox.files
    let reads = 0
    sandbox.files.readFrom = async (...of) => {
      // After each piece was checked once, and the first one was given.
      if (++reads === 5) await writeFile(join(folder, file.sha256), Buffer.alloc(bytes.length, 'other'))
      return (await readFrom?.(...of)) ?? new Uint8Array()
    }
    const got: Uint8Array[] = []
    const receiving = async (): Promise<void> => {
      for await (const piece of (await fetch(at)).body ?? []) got.push(piece)
    }
    await expect(receiving()).rejects.toThrow()
    expect(Buffer.concat(got)).toEqual(bytes.subarray(0, Buffer.concat(got).length))
  })

  it('is not had by its digest from the question of another person', async () => {
    const { ask, upload, answer, url } = await createPlace()
    void (await ask('ada'))
    void (await ask('bob'))
    const { file } = await upload(PNG, 'image/png', 'ada')
    const named = { ...file, name: 'a.png' }
    await answer([named], 'ada', 'pending')
    for (const status of ['pending', 'completed'] as const)
      await expect(answer([named], 'bob', status)).rejects.toMatchObject({ code: 'INVALID_ANSWERS' })
    expect((await fetch(`${url}?toolCallId=bob&file=${file.sha256}`)).status).toBe(404)
    expect((await fetch(`${url}?toolCallId=ada&file=${file.sha256}`)).status).toBe(200)
    // Who has the bytes can give them.
    await upload(PNG, 'image/png', 'bob')
    await answer([named], 'bob')
  })

  it('of many who give files at once finds no room beyond the limit', async () => {
    const { ask, upload, names, folder } = await createPlace()
    void (await ask())
    await upload(PNG)
    const big = join(folder, 'b'.repeat(64))
    await writeFile(big, '')
    await truncate(big, 2 ** 30 - 2_500_000)
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, index) => upload(Buffer.alloc(1_000_000, index), 'text/plain')),
    )
    expect(new Set(all.map(({ status }) => status)).has(413)).toBe(true)
    for (const { status } of all) expect([200, 413]).toContain(status)
    const sizes = await Promise.all(
      (await names()).map(async (name) => (await stat(join(folder, name))).size),
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2 ** 30)
  })

  it.each<[string, (path: string) => unknown]>([
    ['a link', (path) => symlink('/tmp', path)],
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
    ['a file', (path) => writeFile(path, '')],
    ['a folder in its own place', (path) => mkdir(join(path, `${sha256(PNG)}.png`), { recursive: true })],
  ])('that finds %s is refused with a code, and leaves nothing', async (_, put) => {
    const { ask, upload, folder } = await createPlace()
    void (await ask())
    await put(folder)
    const refused = await upload(PNG)
    expect([refused.status, refused.error?.code]).toEqual([503, 'UNREACHABLE'])
    await rm(folder, { recursive: true })
    expect((await upload(PNG)).status).toBe(200)
  })

  it('of which the first bytes come and then nothing leave no file', async () => {
    const { ask, url, names } = await createPlace()
    void (await ask())
    const sending = httpRequest(`${url}?toolCallId=c1&question=q&type=image/png`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', 'content-length': '300000' },
    })
    sending.on('error', () => {})
    sending.write(Buffer.alloc(270_000))
    await expect.poll(names).toHaveLength(1)
    sending.destroy()
    await expect.poll(names).toEqual([])
  })

  it('that no answer names are swept, and those that one names stay', async () => {
    const { sandbox, signingKeys, ask, upload, answer, names, folder } = await createPlace()
    void (await ask())
    const kept = (await upload(PNG)).file
    await answer([{ ...kept, name: 'a.png' }], 'c1', 'pending')
    await upload(Buffer.from('orphan'), 'text/plain')
    const old = new Date(Date.now() - 30 * 24 * 60 * 60_000)
    for (const name of await readdir(folder)) await utimes(join(folder, name), old, old)
    // One process sweeps once an hour.
    const clock = { ...systemClock, now: () => Date.now() + 2 * 60 * 60_000 }
    const response = { selected: [], files: [{ ...kept, name: 'a.png' }], source: 'human' as const }
    await submitAnswer(
      sandbox,
      { toolCallId: 'c1', status: 'pending', responses: { q: { ...response, notes: 'Later' } } },
      { signingKeys, clock },
    )
    await expect.poll(async () => (await names()).sort()).toEqual(['.swept', `${sha256(PNG)}.png`])
    expect((await readdir(folder)).filter((name) => name.includes('~'))).toHaveLength(1)
  })
})
