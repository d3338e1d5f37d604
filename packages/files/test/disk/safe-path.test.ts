import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { isMissing } from '../../src/disk/is-missing.ts'
import { namesOf, refuseLinks } from '../../src/disk/safe-path.ts'

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

describe('a folder below a root', () => {
  it('may be reached through folders, and may be missing', async () => {
    const root = await tempDir()
    await mkdir(join(root, 'a/b'), { recursive: true })
    for (const names of [[], ['a'], ['a', 'b'], ['a', 'missing', 'c'], ['missing']])
      await expect(refuseLinks(root, names), names.join('/')).resolves.toBeUndefined()
  })

  it('is refused where a link or a file is in the way', async () => {
    const root = await tempDir()
    await mkdir(join(root, 'a'))
    await symlink('a', join(root, 'link'))
    await symlink('nowhere', join(root, 'a/dangling'))
    await writeFile(join(root, 'file'), '')
    for (const names of [['link'], ['a', 'dangling'], ['file']])
      await expect(refuseLinks(root, names), names.join('/')).rejects.toMatchObject({
        code: 'UNSAFE_PATH',
        facts: { path: join(root, ...names) },
      })
    await expect(refuseLinks(root, ['x'.repeat(300)])).rejects.toMatchObject({ code: 'ENAMETOOLONG' })
  })
})

it('nothing is missing where there is a link, or where nobody can tell', async () => {
  const root = await tempDir()
  await symlink('nowhere', join(root, 'dangling'))
  await writeFile(join(root, 'file'), '')
  expect(await isMissing(root, 'gone')).toBe(true)
  expect(await isMissing(root, 'file')).toBe(false)
  expect(await isMissing(root, 'dangling')).toBe(false)
  expect(await isMissing(root, 'x'.repeat(300))).toBe(false)
})
