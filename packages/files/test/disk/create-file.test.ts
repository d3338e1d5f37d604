import { readFile, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { createFileSafely } from '../../src/internal.ts'

describe('createFileSafely', () => {
  it('creates a file to append to, and its folders, for this user alone', async () => {
    const root = await tempDir()
    const file = await createFileSafely(root, 'a/b/log')
    await file.write('one ')
    await file.write('two', 0)
    await file.close()
    const path = join(root, 'a/b/log')
    expect(await readFile(path, 'utf8')).toBe('one two')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(join(root, 'a'))).mode & 0o777).toBe(0o700)
  })

  it('refuses a file that exists, and a link in its place', async () => {
    const root = await tempDir()
    await (await createFileSafely(root, 'log')).close()
    await symlink('../elsewhere', join(root, 'link'))
    for (const path of ['log', 'link'])
      await expect(createFileSafely(root, path)).rejects.toMatchObject({ code: 'CONFLICT', facts: { path } })
  })

  it('refuses to leave its root, by name or by link', async () => {
    const root = await tempDir()
    await symlink('..', join(root, 'up'))
    for (const path of ['../../log', 'up/log', join(root, 'log')])
      await expect(createFileSafely(root, path), path).rejects.toMatchObject({ code: 'UNSAFE_PATH' })
  })
})
