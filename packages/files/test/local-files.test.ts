import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { localFiles } from '../src/index.ts'
import { eventually } from './eventually.ts'
import { systemWatches } from './system-watches.ts'
import { tempDir } from './temp-dir.ts'

describe('localFiles', () => {
  it('reads, writes and lists below the workdir, which may be a link', async () => {
    const root = await tempDir()
    await mkdir(join(root, 'workdir'))
    await symlink('workdir', join(root, 'link'))
    const files = localFiles(join(root, 'link'))
    await files.writeAtomic('a/b.txt', 'text')
    expect(await readFile(join(root, 'workdir/a/b.txt'), 'utf8')).toBe('text')
    expect(await files.read('a/b.txt')).toBe('text')
    expect(await files.list('.')).toEqual(['a'])
    expect(await files.list('a')).toEqual(['b.txt'])
    expect(files.id).toBe(localFiles(join(root, 'workdir')).id)
  })

  it('says null and nothing for what is missing', async () => {
    const files = localFiles(await tempDir())
    expect(await files.read('a/b')).toBeNull()
    expect(await files.list('a')).toEqual([])
  })

  it('refuses to leave the workdir, by name or by link', async () => {
    const root = await tempDir()
    const workdir = join(root, 'workdir')
    await mkdir(workdir)
    await writeFile(join(root, 'secret'), 'secret')
    await symlink('..', join(workdir, 'up'))
    await symlink('../secret', join(workdir, 'secret'))
    const files = localFiles(workdir)
    const unsafe = { code: 'UNSAFE_PATH' }
    for (const path of ['../secret', 'up/secret', 'secret', join(root, 'secret')])
      await expect(files.read(path), path).rejects.toMatchObject(unsafe)
    for (const path of ['../new', 'up/new', join(root, 'new')])
      await expect(files.writeAtomic(path, ''), path).rejects.toMatchObject(unsafe)
    for (const path of ['..', 'up', root]) await expect(files.list(path), path).rejects.toMatchObject(unsafe)
    expect(() => files.watch?.('../x', () => {})).toThrow(expect.objectContaining(unsafe))
  })

  it('creates exclusively when asked to', async () => {
    const files = localFiles(await tempDir())
    await files.writeAtomic('f', 'first', { exclusive: true })
    await expect(files.writeAtomic('f', 'second', { exclusive: true })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await files.read('f')).toBe('first')
  })

  it('reports changes in a folder until it is stopped', async () => {
    const files = localFiles(await tempDir())
    await files.writeAtomic('a/first', '')
    const names: (string | null)[] = []
    const stop = files.watch?.('a', (name) => names.push(name)) as () => void
    onTestFinished(stop)
    await eventually(() => expect(names).toContain(null))
    await files.writeAtomic('a/f', '')
    await eventually(() => expect(names).toContain('f'))
    stop()
    await eventually(() => expect(systemWatches()).toBe(0))
  })
})
