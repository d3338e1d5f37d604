import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { diskCalls } from '../../src/disk/disk-calls.ts'
import { removeOld } from '../../src/disk/remove-old.ts'

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
    removeOld(diskCalls(folder), folder, ['old', 'young'], {
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
    await removeOld({ ...calls, rename }, folder, ['old', 'young'], {
      olderThanMs: DAY_MS,
      now: Date.now() + DAY_MS,
      mayGo: async () => true,
    })
    expect(await readdir(folder)).toEqual(['old', 'young'])
    expect(await readFile(join(folder, 'old'), 'utf8')).toBe('renewed')
  })
})
