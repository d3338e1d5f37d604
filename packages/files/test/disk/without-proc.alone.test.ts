import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RunFiles } from '../../src/disk/sandbox-files.ts'

const { platform } = process
let createFiles: (workdir: string) => RunFiles

// The modules look at the system when they are loaded. No other system can be had here.
beforeAll(async () => {
  vi.resetModules()
  Object.defineProperty(process, 'platform', { value: 'darwin' })
  createFiles = (await import('../../src/disk/local-files.ts')).createLocalFiles
})
afterAll(() => {
  Object.defineProperty(process, 'platform', { value: platform })
})

const unsafe = { name: 'AskError', code: 'UNSAFE_PATH' }

describe('the files of a workdir on a system without /proc', () => {
  it('are written into a fresh workdir, with the folders that are missing', async () => {
    const workdir = await tempDir()
    const files = createFiles(workdir)
    await files.writeAtomic('a/b/file', 'text')
    expect(await readFile(join(workdir, 'a/b/file'), 'utf8')).toBe('text')
    await files.writeAtomic('a/b/file', 'new', { claim: '.final' })
    expect(await files.read('a/b/file')).toBe('new')
    expect((await files.list('a/b')).sort()).toEqual(['.final', 'file'])
  })

  it('are not reached through a link or a file in the place of a folder', async () => {
    const workdir = await tempDir()
    await mkdir(join(workdir, 'real/deep'), { recursive: true })
    await symlink('real', join(workdir, 'link'))
    await symlink('../../real', join(workdir, 'real/link'))
    await symlink('nowhere', join(workdir, 'dangling'))
    await writeFile(join(workdir, 'file'), '')
    const files = createFiles(workdir)
    for (const path of ['link/f', 'link/deep/f', 'real/link/f', 'dangling/f', 'file/f']) {
      await expect(files.read(path), path).rejects.toMatchObject(unsafe)
      await expect(files.writeAtomic(path, 'text'), path).rejects.toMatchObject(unsafe)
    }
    expect((await readdir(join(workdir, 'real'))).sort()).toEqual(['deep', 'link'])
  })

  it('are not taken for missing while the workdir is missing', async () => {
    const workdir = join(await tempDir(), 'workdir')
    await mkdir(join(workdir, 'folder'), { recursive: true })
    const files = createFiles(workdir)
    const paths = ['missing', 'folder/missing', 'no-folder/missing']
    expect(await Promise.all(paths.map(files.read))).toEqual([null, null, null])
    await rename(workdir, `${workdir}-elsewhere`)
    for (const path of paths) await expect(files.read(path)).rejects.toMatchObject({ code: 'UNREACHABLE' })
  })
})
