import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.ts'
import { safeFolder, safePath } from '../src/safe-path.ts'

const unsafe = { name: 'AskError', code: 'UNSAFE_PATH' }

describe('safePath', () => {
  it('resolves below the root, whether the folders exist or not', async () => {
    const root = await tempDir()
    await mkdir(join(root, 'there'))
    expect(await safePath(root, 'there/file')).toBe(join(root, 'there/file'))
    expect(await safePath(root, 'not/there/..file')).toBe(join(root, 'not/there/..file'))
  })

  it('refuses what leads upwards or elsewhere', async () => {
    const root = await tempDir()
    for (const path of ['', '.', '..', '../x', 'a/../b', 'a/..', '/etc/passwd', 'a//b', 'a/', './a', 'a\0b'])
      await expect(safePath(root, path), JSON.stringify(path)).rejects.toMatchObject(unsafe)
  })

  it('refuses a linked folder at every depth, even one that leads back inside', async () => {
    const root = await tempDir()
    await mkdir(join(root, 'real/deep'), { recursive: true })
    await symlink('real', join(root, 'link'))
    await symlink('../real', join(root, 'real/link'))
    await symlink('nowhere', join(root, 'dangling'))
    for (const path of ['link/file', 'link/deep/file', 'real/link/file', 'dangling/file'])
      await expect(safePath(root, path), path).rejects.toMatchObject(unsafe)
  })

  it('refuses a file where a folder must be', async () => {
    const root = await tempDir()
    await writeFile(join(root, 'file'), '')
    await expect(safePath(root, 'file/x')).rejects.toMatchObject(unsafe)
  })

  it('leaves the last part to the caller, and the root may be a link', async () => {
    const root = await tempDir()
    await mkdir(join(root, 'workdir'))
    await symlink('workdir', join(root, 'link'))
    expect(await safePath(root, 'link')).toBe(join(root, 'link'))
    expect(await safePath(join(root, 'link'), 'file')).toBe(join(root, 'link/file'))
  })

  it('never leaves the root, whatever the path', async () => {
    const root = await tempDir()
    const part = fc.oneof(fc.constantFrom('..', '.', '', '/', '\0', '\\', '~', 'C:'), fc.string())
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        const path = await safePath(root, parts.join('/')).catch((error: { code: string }) => error.code)
        expect(path === 'UNSAFE_PATH' || path === 'ENAMETOOLONG' || path.startsWith(`${root}/`)).toBe(true)
      }),
    )
  })
})

describe('safeFolder', () => {
  it('takes "." for the root', async () => {
    const root = await tempDir()
    expect(await safeFolder(root, '.')).toBe(root)
  })

  it('refuses a last part that is a link or a file', async () => {
    const root = await tempDir()
    await mkdir(join(root, 'real'))
    await symlink('real', join(root, 'link'))
    await writeFile(join(root, 'file'), '')
    expect(await safeFolder(root, 'real')).toBe(join(root, 'real'))
    for (const path of ['link', 'file', '..', 'real/..'])
      await expect(safeFolder(root, path), path).rejects.toMatchObject(unsafe)
  })
})
