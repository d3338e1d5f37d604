import { existsSync, statSync } from 'node:fs'
import { mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { makeFolder, makeIfPossible } from '../../src/disk/make-folder.ts'

const folder = tempDir
const refusal = (path: string) =>
  expect.objectContaining({
    code: 'UNSAFE_PATH',
    message: expect.stringContaining(`The folder ${path} cannot be used`),
    facts: { path },
  })

describe('makeFolder', () => {
  it('makes what is missing, and is content with what is there', async () => {
    const path = join(await folder(), 'a', 'b', 'c')
    makeFolder(path)
    makeFolder(path)
    expect(statSync(path).isDirectory()).toBe(true)
  })

  it('names a path that is a file, goes through one, or is a link to nowhere', async () => {
    const root = await folder()
    await writeFile(join(root, 'file'), '')
    await symlink('nowhere', join(root, 'link'))
    for (const name of ['file', 'file/below', 'link']) {
      const path = join(root, name)
      expect(() => makeFolder(path)).toThrow(refusal(path))
    }
  })

  it.runIf(existsSync('/proc/self'))('gives up where no folder can be made', () => {
    for (const path of ['/proc/x', '/proc/x/y']) expect(() => makeFolder(path)).toThrow(refusal(path))
  })
})

it('a folder that is missing is made for this user alone, and made again after it was removed', async () => {
  const root = await tempDir()
  for (let times = 0; times < 2; times++) {
    await makeIfPossible(root, 'a/b')
    const modes = ['a', 'a/b'].map(async (path) => (await stat(join(root, path))).mode & 0o777)
    expect(await Promise.all(modes)).toEqual([0o700, 0o700])
    await rm(join(root, 'a'), { recursive: true })
  }
})

it('a folder that is there stays as it is', async () => {
  const root = await tempDir()
  await mkdir(join(root, 'a'), { mode: 0o755 })
  await makeIfPossible(root, 'a')
  expect((await stat(join(root, 'a'))).mode & 0o777).toBe(0o755)
})

it('a folder that this process cannot make is left to others', async () => {
  const root = await tempDir()
  await mkdir(join(root, 'elsewhere'))
  await symlink('elsewhere', join(root, 'link'))
  await makeIfPossible(root, 'link/a')
  expect(await readdir(join(root, 'elsewhere'))).toEqual([])
})
