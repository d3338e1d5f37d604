import { mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemWatches } from '@sandagent/fixtures/system-watches.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createOwnedFiles } from '../../src/disk/local-files.ts'
import { createLocalFiles } from '../../src/internal.ts'
import { diskCalls } from '../../src/lib/disk-calls.ts'

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

  it.each([{}, { exclusive: true }])('writes %j while somebody removes the folder', async (options) => {
    const root = await tempDir()
    const files = createLocalFiles(root)
    for (let round = 0; round < 50; round++) {
      await mkdir(join(root, 'a/b'), { recursive: true })
      await Promise.all([files.writeAtomic('a/b/f', 'text', options), files.remove('a/b')])
      await files.remove('a/b')
      expect(await files.list('a')).toEqual([])
    }
  })

  it('does not make a workdir again that is removed during a write', async () => {
    const root = join(await tempDir(), 'workdir')
    const files = createLocalFiles(root)
    await files.writeAtomic('f', '')
    const calls = diskCalls(files.id as string)
    const rename = vi.spyOn(calls, 'rename').mockImplementation(async () => {
      await rm(root, { recursive: true })
      throw Object.assign(new Error('It is gone'), { code: 'ENOENT' })
    })
    onTestFinished(() => rename.mockRestore())
    await expect(files.writeAtomic('f', '')).rejects.toMatchObject({ code: 'UNREACHABLE' })
    await expect(stat(root)).rejects.toMatchObject({ code: 'ENOENT' })
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
    for (const path of ['../../secret', 'up/secret', 'up/missing', 'secret', join(root, 'secret')])
      await expect(files.read(path), path).rejects.toMatchObject(unsafe)
    for (const path of ['../../new', 'up/new', join(root, 'new')])
      await expect(files.writeAtomic(path, ''), path).rejects.toMatchObject(unsafe)
    for (const path of ['..', 'up', root]) await expect(files.list(path), path).rejects.toMatchObject(unsafe)
    expect(() => files.watch?.('../x', () => {})).toThrow(expect.objectContaining(unsafe))
  })

  it('tells a missing file from a missing workdir', async () => {
    const workdir = join(await tempDir(), 'workdir')
    await mkdir(join(workdir, 'folder'), { recursive: true })
    const files = createLocalFiles(workdir)
    const paths = ['missing', 'folder/missing', 'no-folder/missing']
    expect(await Promise.all(paths.map(files.read))).toEqual([null, null, null])
    await rename(workdir, `${workdir}-elsewhere`)
    for (const path of paths) await expect(files.read(path)).rejects.toMatchObject({ code: 'UNREACHABLE' })
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

  it('tells the length and the time of a file, and null where there is none', async () => {
    const root = await tempDir()
    const files = createLocalFiles(root)
    await files.writeAtomic('a/f', 'sésame')
    await utimes(join(root, 'a/f'), 1000, 1000.5)
    expect(await files.stat('a/f')).toEqual({ size: 7, modifiedAt: 1_000_500 })
    expect(await files.stat('a/missing')).toBeNull()
    expect(await files.stat('missing/f')).toBeNull()
  })

  it('reads a file from a place on, up to a length', async () => {
    const files = createLocalFiles(await tempDir())
    await files.writeAtomic('f', '0123456789')
    const read = async (offset: number, most?: number) => `${await files.readFrom('f', offset, most)}`
    expect(await read(0)).toBe('0123456789')
    expect(await read(4)).toBe('456789')
    expect(await read(4, 2)).toBe('45')
    expect(await read(8, 5)).toBe('89')
    expect([await read(10), await read(99)]).toEqual(['', ''])
    expect(await files.readFrom('missing', 0)).toBeNull()
    // A folder stays open until the end of the turn.
    await new Promise((resolve) => setImmediate(resolve))
    const descriptors = await readdir('/dev/fd')
    for (let times = 0; times < 5; times++) await read(0)
    await vi.waitFor(async () => expect(await readdir('/dev/fd')).toHaveLength(descriptors.length))
  })

  it('lets other work come first when reading has taken long', async () => {
    const files = createLocalFiles(await tempDir())
    await files.writeAtomic('f', 'text')
    await new Promise((resolve) => setImmediate(resolve))
    const now = vi.spyOn(performance, 'now').mockReturnValue(1000)
    onTestFinished(() => now.mockRestore())
    await files.read('f')
    const log: string[] = []
    setImmediate(() => log.push('other work'))
    await files.read('f')
    expect(log).toEqual([])
    now.mockReturnValue(2000)
    await files.read('f')
    expect(log).toEqual(['other work'])
  })

  it('reads no more than a megabyte at once', async () => {
    const root = await tempDir()
    await writeFile(join(root, 'f'), 'x'.repeat(1_048_577))
    const piece = await createLocalFiles(root).readFrom('f', 0, 5_000_000)
    expect(piece).toHaveLength(1_048_576)
  })

  it('stamps each entry of a folder, and the stamp changes with it', async () => {
    const root = await tempDir()
    const files = createLocalFiles(root)
    await files.writeAtomic('a/f', 'one')
    await files.writeAtomic('a/g', 'one')
    const before = (await files.stamps?.('a')) as Map<string, string>
    expect([...before.keys()].sort()).toEqual(['f', 'g'])
    await files.writeAtomic('a/f', 'two')
    const after = (await files.stamps?.('a')) as Map<string, string>
    expect(after.get('f')).not.toBe(before.get('f'))
    expect(after.get('g')).toBe(before.get('g'))
    expect([...((await files.stamps?.('.')) ?? []).keys()]).toEqual(['a'])
    expect(await files.stamps?.('missing')).toEqual(new Map())
    expect(await files.list('missing')).toEqual([])
  })

  it('syncs a folder, and needs none', async () => {
    const root = await tempDir()
    const files = createLocalFiles(root)
    await files.writeAtomic('a/f', '')
    const sync = vi.spyOn(diskCalls(files.id as string), 'sync')
    onTestFinished(() => sync.mockRestore())
    await files.sync?.('a')
    expect(sync).toHaveBeenCalledOnce()
    await files.sync?.('missing')
    expect(sync).toHaveBeenCalledOnce()
  })

  it('removes old entries of a folder that may go', async () => {
    const root = await tempDir()
    const files = createLocalFiles(root)
    for (const name of ['old', 'kept', 'young']) await files.writeAtomic(`a/${name}`, '')
    for (const name of ['old', 'kept']) await utimes(join(root, 'a', name), 1000, 1000)
    const options = {
      olderThanMs: 1000,
      now: Date.now() + 1000,
      mayGo: async (name: string) => name !== 'kept',
    }
    await files.removeOld?.('a', options)
    expect((await files.list('a')).sort()).toEqual(['kept', 'young'])
    await files.removeOld?.('missing', options)
  })

  it('fails in everything while the workdir is missing', async () => {
    const files = createLocalFiles(join(await tempDir(), 'gone'))
    const options = { olderThanMs: 1, now: 1, mayGo: async () => true }
    const works = [
      () => files.list('.'),
      () => files.list('a'),
      () => files.stamps?.('a'),
      () => files.sync?.('a'),
      () => files.stat('f'),
      () => files.readFrom('f', 0),
      () => files.remove('f'),
      () => files.removeOld?.('a', options),
    ]
    for (const work of works)
      await expect(work()).rejects.toMatchObject({
        code: 'UNREACHABLE',
        facts: { reason: 'ENOENT' },
        message: expect.stringContaining('folder cannot be reached'),
      })
  })

  it('gives files and folders to those who own their paths', async () => {
    const root = await tempDir()
    const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, isShared: true }
    const files = createOwnedFiles(root, (path) => (path.startsWith('shared') ? owner : undefined))
    await files.writeAtomic('shared/f', '')
    await files.writeAtomic('own/f', '')
    const modes = ['shared', 'shared/f', 'own', 'own/f'].map(
      async (path) => (await stat(join(root, path))).mode & 0o777,
    )
    expect(await Promise.all(modes)).toEqual([0o750, 0o640, 0o700, 0o600])
  })

  it('holds two descriptors for a write: its folder and its file', async () => {
    const root = await tempDir()
    const files = createLocalFiles(root)
    await files.writeAtomic('f', '')
    const open = vi.spyOn(diskCalls(files.id as string), 'open')
    onTestFinished(() => open.mockRestore())
    await files.writeAtomic('f', 'again')
    expect(open.mock.calls.length).toBeLessThanOrEqual(2)
    expect(open.mock.calls.filter(([path]) => !path.endsWith('.tmp')).length).toBeLessThanOrEqual(1)
  })

  it('removes what killed writers left in the folder where it writes, once an hour', async () => {
    const root = await tempDir()
    const files = createLocalFiles(root)
    const leftover = (folder: string): string =>
      join(root, folder, '.00000000-0000-4000-8000-000000000001.tmp')
    for (const folder of ['a', 'b']) {
      await mkdir(join(root, folder))
      await writeFile(leftover(folder), '')
      await utimes(leftover(folder), 1000, 1000)
      await files.writeAtomic(`${folder}/f`, '')
      expect(await files.list(folder)).toEqual(['f'])
    }
    await writeFile(leftover('a'), '')
    await utimes(leftover('a'), 1000, 1000)
    await files.writeAtomic('a/f', '')
    expect(await files.list('a')).toHaveLength(2)
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
