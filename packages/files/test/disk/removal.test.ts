import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { removeEntry as removeIn, removeOld } from '../../src/disk/removal.ts'
import { createLocalFiles } from '../../src/internal.ts'
import { diskCalls } from '../../src/lib/disk-calls.ts'

const placeOf = (path: string) => ({ calls: diskCalls(path), path })
const removeEntry = (folder: string, name: string): Promise<void> => removeIn(placeOf(folder), name)

it('an entry goes with all that is in it, and nothing that its links lead to', async () => {
  const root = await tempDir()
  await mkdir(join(root, 'folder/inner/deep'), { recursive: true })
  await mkdir(join(root, 'kept'))
  for (const path of ['file', 'folder/a', 'folder/inner/b', 'kept/c']) await writeFile(join(root, path), '')
  await symlink('../kept', join(root, 'folder/link'))
  await symlink('kept', join(root, 'link'))
  for (const name of ['file', 'folder', 'link', 'missing']) await removeEntry(root, name)
  expect(await readdir(root)).toEqual(['kept'])
  expect(await readdir(join(root, 'kept'))).toEqual(['c'])
})

it('a removal ends well whatever others write and remove meanwhile', async () => {
  const root = await tempDir()
  const inFolder = join(root, 'folder')
  for (let round = 0; round < 200; round++) {
    await mkdir(join(inFolder, 'inner'), { recursive: true })
    const writes = Promise.allSettled(
      ['a', 'b', 'inner/c'].map((name) => writeFile(join(inFolder, name), '')),
    )
    await Promise.all([removeEntry(root, 'folder'), removeEntry(root, 'folder')])
    // A write fails where its folder is gone, and only there.
    for (const write of await writes)
      if (write.status === 'rejected') expect(write.reason).toMatchObject({ code: 'ENOENT' })
  }
  await removeEntry(root, 'folder')
  expect(await readdir(root)).toEqual([])
})

it('what cannot be removed is told', async () => {
  await expect(removeEntry(await tempDir(), 'x'.repeat(300))).rejects.toMatchObject({ code: 'ENAMETOOLONG' })
})

const DAY_MS = 24 * 60 * 60 * 1000

/** A folder with a file that is a week old, and one that is not. */
async function folderOfAWeek(): Promise<string> {
  const folder = await tempDir()
  for (const name of ['old', 'young']) await writeFile(join(folder, name), name)
  const time = (Date.now() - 7 * DAY_MS) / 1000
  await utimes(join(folder, 'old'), time, time)
  return folder
}

describe('removeOld', () => {
  const remove = (folder: string, mayGo: (name: string) => Promise<boolean>): Promise<void> =>
    removeOld(placeOf(folder), ['old', 'young'], {
      olderThanMs: DAY_MS,
      now: Date.now() + DAY_MS,
      mayGo,
    })

  it('asks about old entries alone, and removes those that may go', async () => {
    const folder = await folderOfAWeek()
    const asked: string[] = []
    const note = async (name: string): Promise<boolean> => asked.push(name) > 1
    await remove(folder, note)
    expect([asked, await readdir(folder)]).toEqual([['old'], ['old', 'young']])
    await remove(folder, note)
    expect([asked, await readdir(folder)]).toEqual([['old', 'old'], ['young']])
  })

  it('does not touch an entry that was renewed while it was looked at', async () => {
    const folder = await folderOfAWeek()
    const rename = vi.spyOn(diskCalls(folder), 'rename')
    onTestFinished(() => rename.mockRestore())
    await remove(folder, async (name) => {
      await writeFile(join(folder, name), 'renewed')
      return true
    })
    expect(rename).not.toHaveBeenCalled()
    expect(await readFile(join(folder, 'old'), 'utf8')).toBe('renewed')
  })

  it('puts back an entry that was renewed right before it was moved away', async () => {
    const folder = await folderOfAWeek()
    const calls = diskCalls(folder)
    let isRenewed = false
    const rename = async (path: string, newPath: string): Promise<void> => {
      if (!isRenewed) await writeFile(path, 'renewed')
      isRenewed = true
      await calls.rename(path, newPath)
    }
    await removeOld({ calls: { ...calls, rename }, path: folder }, ['old', 'young'], {
      olderThanMs: DAY_MS,
      now: Date.now() + DAY_MS,
      mayGo: async () => true,
    })
    expect(await readdir(folder)).toEqual(['old', 'young'])
    expect(await readFile(join(folder, 'old'), 'utf8')).toBe('renewed')
  })
})

describe('removeOld at the first look', () => {
  /** How many entries of a folder were looked at, and which are left. */
  async function firstLook(folder: string, names: string[], options: { mayGo: () => Promise<boolean> }) {
    const calls = diskCalls(folder)
    let looks = 0
    const lstat: typeof calls.lstat = (path) => {
      looks++
      return calls.lstat(path)
    }
    const times = { olderThanMs: DAY_MS, now: Date.now() + DAY_MS, isFirstLook: true }
    await removeOld({ calls: { ...calls, lstat }, path: folder }, names, { ...times, ...options })
    return { looks, left: await readdir(folder) }
  }
  const missing = Array.from({ length: 20_000 }, (_, n) => `missing-${n}`)
  const mayGo = async () => true

  it('is at some of many entries, and at all only if one of these goes', async () => {
    const folder = await folderOfAWeek()
    expect(await firstLook(folder, [...missing, 'old', 'young'], { mayGo })).toEqual({
      looks: 1001,
      left: ['old', 'young'],
    })
    const { left } = await firstLook(folder, ['old', ...missing, 'young'], { mayGo: async () => false })
    expect(left).toEqual(['old', 'young'])
    expect(await firstLook(folder, ['old', ...missing, 'young'], { mayGo })).toMatchObject({
      left: ['young'],
    })
  })

  it('is at all of few entries', async () => {
    const folder = await folderOfAWeek()
    const names = [...missing.slice(0, 900), 'old', 'young']
    expect((await firstLook(folder, names, { mayGo })).left).toEqual(['young'])
  })
})

const OLD = '.00000000-0000-4000-8000-000000000001.tmp'
const OLD_FOLDER = '.00000000-0000-4000-8000-000000000002.tmp'
const NEW = '.00000000-0000-4000-8000-000000000003.tmp'
const OTHER = '.notes.tmp'

it('a writer removes what killed writers left in its folder long ago, and nothing else', async () => {
  const workdir = await tempDir()
  const folder = join(workdir, 'a')
  await mkdir(join(folder, OLD_FOLDER), { recursive: true })
  for (const name of [OLD, `${OLD_FOLDER}/claim.json`, NEW, OTHER]) await writeFile(join(folder, name), '')
  const longAgo = new Date(Date.now() - 2 * 60 * 60_000)
  for (const name of [OLD, OLD_FOLDER, OTHER]) await utimes(join(folder, name), longAgo, longAgo)
  await createLocalFiles(workdir).writeAtomic('a/file', 'text')
  expect((await readdir(folder)).sort()).toEqual([NEW, OTHER, 'file'].sort())
})
