import { mkdir, readdir, rm, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { createFolderMaker } from '../../src/disk/folder-maker.ts'

it('a folder that is missing is made for this user alone, and made again after it was removed', async () => {
  const root = await tempDir()
  const make = createFolderMaker(root, 'a/b')
  for (let times = 0; times < 2; times++) {
    await make()
    const modes = ['a', 'a/b'].map(async (path) => (await stat(join(root, path))).mode & 0o777)
    expect(await Promise.all(modes)).toEqual([0o700, 0o700])
    await rm(join(root, 'a'), { recursive: true })
  }
})

it('a folder that is there stays as it is', async () => {
  const root = await tempDir()
  await mkdir(join(root, 'a'), { mode: 0o755 })
  await createFolderMaker(root, 'a')()
  expect((await stat(join(root, 'a'))).mode & 0o777).toBe(0o755)
})

it('calls that overlap share the work', async () => {
  const make = createFolderMaker(await tempDir(), 'a')
  const first = make()
  expect(make()).toBe(first)
  await first
  expect(make()).not.toBe(first)
})

it('a folder that this process cannot make is left to others', async () => {
  const root = await tempDir()
  await mkdir(join(root, 'elsewhere'))
  await symlink('elsewhere', join(root, 'link'))
  await createFolderMaker(root, 'link/a')()
  expect(await readdir(join(root, 'elsewhere'))).toEqual([])
})
