import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { inFolder } from '../../src/disk/folder.ts'
import { writeIn } from '../../src/disk/write-file.ts'
import { type WriteOptions, writeFileAtomic } from '../../src/internal.ts'
import { type DiskCalls, diskCalls } from '../../src/lib/disk-calls.ts'

/** Writes with the real calls for a folder, and tells what they did that a power cut could undo. */
function recorded(root: string, other: Partial<DiskCalls> = {}) {
  const done: string[] = []
  const real = diskCalls(root)
  const calls: DiskCalls = {
    ...real,
    async sync(opened) {
      await real.sync(opened)
      done.push((await real.stat(opened)).isFile() ? 'text synced' : 'folder synced')
    },
    async link(path, newPath) {
      await real.link(path, newPath)
      done.push('claimed')
    },
    async rename(path, newPath) {
      await real.rename(path, newPath)
      done.push('named')
    },
  }
  const write = (name: string, text: string, options?: WriteOptions): Promise<void> =>
    inFolder(root, '.', (folder) => writeIn(folder, name, text, options), { calls: { ...calls, ...other } })
  return { write, done }
}

describe('writeFileAtomic', () => {
  it('creates a file for this user alone', async () => {
    const path = join(await tempDir(), 'c.json')
    await writeFileAtomic(path, '{"ü": 1}')
    expect(await readFile(path, 'utf8')).toBe('{"ü": 1}')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('replaces a file as a whole and leaves nothing beside it', async () => {
    const root = await tempDir()
    const path = join(root, 'f.json')
    await writeFile(path, 'a much longer text than the new one')
    const before = await stat(path)
    await writeFileAtomic(path, 'new')
    expect(await readFile(path, 'utf8')).toBe('new')
    expect((await stat(path)).ino).not.toBe(before.ino)
    expect(await readdir(root)).toEqual(['f.json'])
  })

  it('lets one of many exclusive writers win, and keeps what was there', async () => {
    const root = await tempDir()
    const path = join(root, 'f.json')
    const writes = Array.from({ length: 20 }, (_, n) => writeFileAtomic(path, `${n}`, { exclusive: true }))
    const results = await Promise.allSettled(writes)
    const winners = results.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []))
    expect(winners).toHaveLength(1)
    expect(await readFile(path, 'utf8')).toBe(`${winners[0]}`)
    await expect(writeFileAtomic(path, 'late', { exclusive: true })).rejects.toMatchObject({
      code: 'CONFLICT',
      facts: { path },
    })
    expect(await readdir(root)).toEqual(['f.json'])
  })

  it('replaces a planted link instead of writing where it leads', async () => {
    const root = await tempDir()
    await writeFile(join(root, 'victim'), 'untouched')
    await symlink('victim', join(root, 'f.json'))
    await writeFileAtomic(join(root, 'f.json'), 'new')
    expect(await readFile(join(root, 'victim'), 'utf8')).toBe('untouched')
    expect((await lstat(join(root, 'f.json'))).isFile()).toBe(true)
  })

  it('leaves no temporary file when it fails', async () => {
    const root = await tempDir()
    await mkdir(join(root, 'f.json/in-the-way'), { recursive: true })
    await expect(writeFileAtomic(join(root, 'f.json'), 'new')).rejects.toMatchObject({
      code: expect.stringMatching(/^E/),
    })
    expect(await readdir(root)).toEqual(['f.json'])
  })

  it('has the text on the disk before others see it, and the names before it returns', async () => {
    const root = await tempDir()
    const { write, done } = recorded(root)
    await write('f.json', 'text')
    expect(done.splice(0)).toEqual(['text synced', 'named', 'folder synced'])
    await write('g.json', 'text', { claim: '.g.final' })
    expect(done.splice(0)).toEqual(['text synced', 'claimed', 'named', 'folder synced'])
    await write('h.json', 'text', { exclusive: true })
    expect(done.splice(0)).toEqual(['text synced', 'claimed', 'folder synced'])
  })

  it('has a claim on the disk before it shows it, also where there are no links', async () => {
    const root = await tempDir()
    const { write, done } = recorded(root, {
      link: () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' })),
    })
    await write('f.json', 'text', { claim: '.f.final' })
    const claimed = ['text synced', 'folder synced', 'named']
    expect(done).toEqual(['text synced', ...claimed, 'named', 'folder synced'])
  })

  it('never shows a torn text to a reader', async () => {
    const root = await tempDir()
    const path = join(root, 'f.json')
    const texts = ['a'.repeat(300_000), 'b'.repeat(100_000)]
    await writeFileAtomic(path, texts[0] as string)
    let writing = true
    const writes = (async () => {
      for (let n = 1; n <= 20; n++) await writeFileAtomic(path, texts[n % 2] as string)
      writing = false
    })()
    while (writing) expect(texts.includes(await readFile(path, 'utf8'))).toBe(true)
    await writes
  })
})
