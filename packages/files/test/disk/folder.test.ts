import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, renameSync, rmdirSync, statSync, symlinkSync } from 'node:fs'
import { mkdir, readdir, readFile, realpath, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AskError } from '@sandagent/core'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { atFile, inFolder, namesOf } from '../../src/disk/folder.ts'
import { createFileSafely, createLocalFiles } from '../../src/internal.ts'
import { diskCalls } from '../../src/lib/disk-calls.ts'

const unsafe = { name: 'AskError', code: 'UNSAFE_PATH' }

/** Where a path below a root leads. */
const folderIdentityOf = (root: string, path: string, options?: { make: boolean }): Promise<string> =>
  atFile(root, path, async (folder, name) => join(await realpath(folder.path), name), options)

describe('atFile', () => {
  it('leads below the root, and makes folders where it is told to', async () => {
    const root = await tempDir()
    await mkdir(join(root, 'there'))
    expect(await folderIdentityOf(root, 'there/file')).toBe(join(root, 'there/file'))
    await expect(folderIdentityOf(root, 'not/there/..file')).rejects.toMatchObject({ code: 'ENOENT' })
    const made = await folderIdentityOf(root, 'not/there/..file', { make: true })
    expect(made).toBe(join(root, 'not/there/..file'))
    expect(await readdir(join(root, 'not'))).toEqual(['there'])
  })

  it('leads into the folder that has the path now, also where another one had it in the same turn', async () => {
    const root = await tempDir()
    mkdirSync(join(root, 'a'))
    const first = await atFile(root, 'a/file', async ({ path }) => statSync(path).ino)
    expect(await atFile(root, 'a/file', async ({ path }) => statSync(path).ino)).toBe(first)
    renameSync(join(root, 'a'), join(root, 'b'))
    mkdirSync(join(root, 'a'))
    expect(await atFile(root, 'a/file', async ({ path }) => statSync(path).ino)).not.toBe(first)
    rmdirSync(join(root, 'a'))
    symlinkSync('b', join(root, 'a'))
    await expect(folderIdentityOf(root, 'a/file')).rejects.toMatchObject(unsafe)
  })

  it('refuses what leads upwards or elsewhere', async () => {
    const root = await tempDir()
    for (const path of [
      '',
      '.',
      '..',
      '../x',
      'a/../b',
      './a',
      './a/b',
      'a/./b',
      'a/..',
      '/etc/passwd',
      'a//b',
      'a/',
      '../a',
      'a\0b',
    ])
      await expect(folderIdentityOf(root, path, { make: true }), JSON.stringify(path)).rejects.toMatchObject(
        unsafe,
      )
    expect(await readdir(root)).toEqual([])
  })

  it('refuses a linked folder at every depth, even one that leads back inside', async () => {
    const root = await tempDir()
    await mkdir(join(root, 'real/deep'), { recursive: true })
    await symlink('real', join(root, 'link'))
    await symlink('../../real', join(root, 'real/link'))
    await symlink('nowhere', join(root, 'dangling'))
    for (const path of ['link/file', 'link/deep/file', 'real/link/file', 'dangling/file'])
      for (const make of [false, true])
        await expect(folderIdentityOf(root, path, { make }), path).rejects.toMatchObject(unsafe)
  })

  it('refuses a file where a folder must be', async () => {
    const root = await tempDir()
    await writeFile(join(root, 'file'), '')
    await expect(folderIdentityOf(root, 'file/x')).rejects.toMatchObject({
      ...unsafe,
      facts: { path: join(root, 'file') },
    })
  })

  it('leaves the last part to the caller, and the root may be a link', async () => {
    const root = await tempDir()
    await mkdir(join(root, 'workdir'))
    await symlink('workdir', join(root, 'link'))
    expect(await folderIdentityOf(root, 'link')).toBe(join(root, 'link'))
    expect(await folderIdentityOf(join(root, 'link'), 'file')).toBe(join(root, 'workdir/file'))
  })

  it('never leaves the root, whatever the path', async () => {
    const root = await tempDir()
    const part = fc.oneof(fc.constantFrom('..', '.', '', '/', '\0', '\\', '~', 'C:'), fc.string())
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        const path = await folderIdentityOf(root, parts.join('/')).catch(
          (error: { code: string }) => error.code,
        )
        expect(['UNSAFE_PATH', 'ENAMETOOLONG', 'ENOENT'].includes(path) || path.startsWith(`${root}/`)).toBe(
          true,
        )
      }),
    )
  })

  it('names the file as it is called in what it throws', async () => {
    const root = await tempDir()
    const path = join(root, 'a/f')
    for (const error of [
      new AskError('CONFLICT', 'There', { facts: { path: '' } }),
      Object.assign(new Error(), { path: '' }),
    ]) {
      const thrown = await atFile(
        root,
        'a/f',
        async (folder, name) => {
          const held = join(folder.path, name)
          Object.assign('facts' in error ? error.facts : error, { path: held })
          throw error
        },
        { make: true },
      ).catch((reason: unknown) => reason)
      expect(thrown).toMatchObject('facts' in error ? { facts: { path } } : { path })
    }
    const missing = await atFile(root, 'a/f', (folder, name) => readFile(join(folder.path, name))).catch(
      (reason: Error) => reason.message,
    )
    expect(missing).toBe(`ENOENT: no such file or directory, open '${path}'`)
  })
})

describe('the names of a path', () => {
  it('are its parts, also where they begin with a dot', () => {
    expect(namesOf('a/.b/...')).toEqual(['a', '.b', '...'])
  })

  it.each(['', '.', '..', 'a/..', 'a/./b', '/a', 'a/', 'a//b', 'a\0b'])('refuse %j', (path) => {
    expect(() => namesOf(path)).toThrow(
      expect.objectContaining({
        code: 'UNSAFE_PATH',
        facts: { path },
        message: expect.stringContaining('stay inside'),
      }),
    )
  })
})

describe('inFolder', () => {
  it('takes no names for the root', async () => {
    const root = await tempDir()
    expect(await inFolder(root, '.', (folder) => realpath(folder.path))).toBe(root)
  })

  it('refuses a last part that is a link or a file', async () => {
    const root = await tempDir()
    await mkdir(join(root, 'real'))
    await symlink('real', join(root, 'link'))
    await writeFile(join(root, 'file'), '')
    for (const name of ['link', 'file'])
      await expect(
        inFolder(root, name, (folder) => realpath(folder.path)),
        name,
      ).rejects.toMatchObject(unsafe)
  })

  it.skipIf(process.platform !== 'linux')(
    'stays in the folder when something else is put in its place',
    async () => {
      const root = await tempDir()
      await mkdir(join(root, 'folder'))
      await mkdir(join(root, 'outside'))
      await inFolder(root, 'folder', async (folder) => {
        await rename(join(root, 'folder'), join(root, 'moved'))
        await symlink('outside', join(root, 'folder'))
        await writeFile(join(folder.path, 'f'), '')
      })
      expect(await readdir(join(root, 'moved'))).toEqual(['f'])
      expect(await readdir(join(root, 'outside'))).toEqual([])
    },
  )
})

it.runIf(process.platform === 'linux')(
  'a folder that this user may not open is no link: the system’s error is passed on, with its name',
  async () => {
    const root = await tempDir()
    await mkdir(join(root, 'closed'))
    const calls = diskCalls(root)
    const open = calls.open
    // The tests may run as root, who may open everything.
    const refused = vi.spyOn(calls, 'open').mockImplementation((path, ...rest) => {
      if (!path.endsWith('/closed')) return open(path, ...rest)
      throw Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES', path })
    })
    onTestFinished(() => refused.mockRestore())
    const path = join(root, 'closed')
    for (const make of [false, true])
      await expect(folderIdentityOf(root, 'closed/file', { make })).rejects.toMatchObject({
        name: 'Error',
        code: 'EACCES',
        path,
        message: expect.stringContaining(path),
      })
  },
)

describe.skipIf(process.platform !== 'linux')('a folder that is swapped with a link all the time', () => {
  const SWAP = `const { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } = require('fs')
    const attempt = (step, ...paths) => { try { step(...paths) } catch {} }
    console.log('ready')
    for (;;) {
      attempt(mkdirSync, 'folder')
      attempt(renameSync, 'folder', 'moved')
      attempt(symlinkSync, 'outside', 'folder')
      attempt(unlinkSync, 'folder')
      attempt(rmSync, 'moved', { recursive: true, force: true })
    }`

  /** The folder, and one outside of it that holds a file, while another process swaps. */
  async function swapped(): Promise<string> {
    const root = await tempDir()
    for (const name of ['folder', 'outside']) await mkdir(join(root, name))
    await writeFile(join(root, 'outside/f'), 'kept')
    const child = spawn(process.execPath, ['-e', SWAP], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
    const exited = once(child, 'exit')
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await exited
    })
    await once(child.stdout, 'data')
    return root
  }

  /** Does something until it went well and was refused so often that the swaps have met it everywhere. */
  async function often(work: (round: number) => Promise<unknown>): Promise<void> {
    const ends = { done: 0, refused: 0 }
    for (let round = 0; ends.done < 10 || ends.refused < 10; round++)
      await work(round).then(
        () => ends.done++,
        () => ends.refused++,
      )
  }

  it('leads no writer out of the root', async () => {
    const root = await swapped()
    const files = createLocalFiles(root)
    await often((round) => files.writeAtomic('folder/g', `${round}`))
    await often((round) => files.writeAtomic(`folder/e${round}`, '', { exclusive: true }))
    await often(async (round) => (await createFileSafely(root, `folder/log${round}`)).close())
    expect(await readdir(join(root, 'outside'))).toEqual(['f'])
  })

  it('leads no reader out of the root', async () => {
    const root = await swapped()
    const files = createLocalFiles(root)
    const seen: unknown[] = []
    await often(async () => seen.push(await files.read('folder/f')))
    await often(async () => seen.push(await files.readFrom('folder/f', 0)))
    await often(async () => seen.push(await files.stat('folder/f')))
    await often(async () => seen.push(...(await files.list('folder'))))
    expect(seen.filter((value) => value !== null)).toEqual([])
  })
})
