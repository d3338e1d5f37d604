import { appendFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MAX_FILE_BYTES } from '@sandagent/core/internal'
import { systemWatches } from '@sandagent/fixtures/system-watches.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLocalFiles } from '../../src/internal.ts'

describe('createLocalFiles', () => {
  it('reads, writes and lists below the workdir, which may be a link', async () => {
    const root = await tempDir()
    await mkdir(join(root, 'workdir'))
    await symlink('workdir', join(root, 'link'))
    const files = createLocalFiles(join(root, 'link'))
    await files.writeAtomic('a/b.txt', 'text')
    expect(await readFile(join(root, 'workdir/a/b.txt'), 'utf8')).toBe('text')
    expect(await files.read('a/b.txt')).toBe('text')
    expect(await files.list('.')).toEqual(['a'])
    expect(await files.list('a')).toEqual(['b.txt'])
    expect(files.id).toBe(createLocalFiles(join(root, 'workdir')).id)
  })

  it('says null and nothing for what is missing', async () => {
    const files = createLocalFiles(await tempDir())
    expect(await files.read('a/b')).toBeNull()
    expect(await files.list('a')).toEqual([])
  })

  it('refuses to leave the workdir, by name or by link', async () => {
    const root = await tempDir()
    const workdir = join(root, 'workdir')
    await mkdir(workdir)
    await writeFile(join(root, 'secret'), 'secret')
    await symlink('..', join(workdir, 'up'))
    await symlink('../../secret', join(workdir, 'secret'))
    const files = createLocalFiles(workdir)
    const unsafe = { code: 'UNSAFE_PATH' }
    for (const path of ['../../secret', 'up/secret', 'secret', join(root, 'secret')])
      await expect(files.read(path), path).rejects.toMatchObject(unsafe)
    for (const path of ['../../new', 'up/new', join(root, 'new')])
      await expect(files.writeAtomic(path, ''), path).rejects.toMatchObject(unsafe)
    for (const path of ['..', 'up', root]) await expect(files.list(path), path).rejects.toMatchObject(unsafe)
    expect(() => files.watch?.('../x', () => {})).toThrow(expect.objectContaining(unsafe))
  })

  it('creates exclusively when asked to', async () => {
    const files = createLocalFiles(await tempDir())
    await files.writeAtomic('f', 'first', { exclusive: true })
    await expect(files.writeAtomic('f', 'second', { exclusive: true })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await files.read('f')).toBe('first')
  })

  it('reports changes in a folder until it is stopped', async () => {
    const files = createLocalFiles(await tempDir())
    await files.writeAtomic('a/first', '')
    const names: (string | null)[] = []
    const stop = files.watch?.('a', (name) => names.push(name)) as () => void
    onTestFinished(stop)
    await vi.waitFor(() => expect(names).toContain(null))
    await files.writeAtomic('a/f', '')
    await vi.waitFor(() => expect(names).toContain('f'))
    stop()
    await vi.waitFor(() => expect(systemWatches()).toBe(0))
  })

  it('tells size and age of a file', async () => {
    const files = createLocalFiles(await tempDir())
    const before = Date.now()
    await files.writeAtomic('a/f', 'four')
    expect(await files.stat('a/f')).toEqual({ size: 4, modifiedAt: expect.any(Number) })
    // File systems may count time in steps as long as a timer tick.
    expect((await files.stat('a/f'))?.modifiedAt).toBeGreaterThan(before - 100)
    expect(await files.stat('a/g')).toBeNull()
  })

  it('reads a growing file piece by piece, from wherever it is told to', async () => {
    const workdir = await tempDir()
    const files = createLocalFiles(workdir)
    expect(await files.readFrom('f', 0)).toBeNull()
    await writeFile(join(workdir, 'f'), 'x'.repeat(MAX_FILE_BYTES + 3))
    expect(await files.readFrom('f', 0)).toHaveLength(MAX_FILE_BYTES)
    expect(await files.readFrom('f', MAX_FILE_BYTES)).toHaveLength(3)
    expect(await files.readFrom('f', MAX_FILE_BYTES + 3)).toHaveLength(0)
    await appendFile(join(workdir, 'f'), 'ü')
    expect(String(await files.readFrom('f', MAX_FILE_BYTES + 3))).toBe('ü')
    expect(await files.readFrom('f', 2 * MAX_FILE_BYTES)).toHaveLength(0)
  })

  it('removes a folder with all that is in it, and follows no link', async () => {
    const root = await tempDir()
    const files = createLocalFiles(join(root, 'workdir'))
    await files.writeAtomic('a/b/f', '')
    await writeFile(join(root, 'kept'), '')
    await symlink('../../..', join(root, 'workdir/a/up'))
    await expect(files.remove('a/up/kept')).rejects.toMatchObject({ code: 'UNSAFE_PATH' })
    await files.remove('a')
    await files.remove('a')
    expect(await files.list('.')).toEqual([])
    expect(await readFile(join(root, 'kept'), 'utf8')).toBe('')
  })
})
