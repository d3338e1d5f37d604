import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
