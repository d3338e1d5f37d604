import { execFileSync } from 'node:child_process'
import { lstat, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { folderIdentityOf, isOtherPlace } from '../../src/lib/place.ts'

const placeAt = async (path: string): Promise<string> => String(folderIdentityOf(await lstat(path)))

describe('the place of a folder', () => {
  it('stays the same when it is moved or filled, and its copy has another one', async () => {
    const root = await tempDir()
    const [folder, moved, copy] = ['folder', 'moved', 'copy'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ]
    await mkdir(folder)
    const place = await placeAt(folder)
    await mkdir(join(folder, 'more'))
    await rename(folder, moved)
    expect(await placeAt(moved)).toBe(place)
    execFileSync('cp', ['-a', moved, copy])
    expect(isOtherPlace(place, await placeAt(copy))).toBe(true)
  })

  it.each([
    ['of the same folder', '1:2:3 host/boot', false],
    ['of another device', '9:2:3 host/boot', true],
    ['of another inode', '1:9:3 host/boot', true],
    ['of a folder that got the inode later', '1:2:9 host/boot', true],
    ['of a folder whose birth nobody knows', '1:2:0 host/boot', false],
    ['of another machine', '9:9:9 other/boot', false],
    ['of an earlier boot', '9:9:9 host/other', false],
    ['that is no place', 'x', false],
  ])('is another one for sure or not: one %s', (_, other, isOther) => {
    expect([isOtherPlace('1:2:3 host/boot', other), isOtherPlace(other, '1:2:3 host/boot')]).toEqual([
      isOther,
      isOther,
    ])
  })
})
