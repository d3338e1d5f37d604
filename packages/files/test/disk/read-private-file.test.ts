import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readPrivateFile } from '../../src/disk/read-private-file.ts'

async function secretWith(mode: number): Promise<string> {
  const path = join(await tempDir(), 'secret')
  await writeFile(path, 'sésame')
  await chmod(path, mode)
  return path
}

describe('a file with a secret', () => {
  it('is read where it is for this user alone', async () => {
    expect(await readPrivateFile(await secretWith(0o600))).toBe('sésame')
    expect(await readPrivateFile(await secretWith(0o400))).toBe('sésame')
  })

  it('is closed after each look', async () => {
    const [secret, shared] = [await secretWith(0o600), await secretWith(0o640)]
    const descriptors = await readdir('/dev/fd')
    for (let times = 0; times < 5; times++) {
      await readPrivateFile(secret)
      await expect(readPrivateFile(shared)).rejects.toMatchObject({ code: 'UNSAFE_PATH' })
    }
    expect(await readdir('/dev/fd')).toHaveLength(descriptors.length)
  })

  it.each([0o640, 0o620, 0o610, 0o604, 0o602, 0o601])('is refused with the mode %o', async (mode) => {
    const path = await secretWith(mode)
    await expect(readPrivateFile(path)).rejects.toMatchObject({
      code: 'UNSAFE_PATH',
      facts: { path },
      message: expect.stringContaining(path),
    })
  })

  it('is refused where it is somebody else’s', async () => {
    const path = await secretWith(0o600)
    const getuid = vi.spyOn(process as { getuid(): number }, 'getuid').mockReturnValue(4711)
    onTestFinished(() => getuid.mockRestore())
    await expect(readPrivateFile(path)).rejects.toMatchObject({ code: 'UNSAFE_PATH' })
  })

  it('is read anew once it was changed, and refused once others can read it', async () => {
    const path = await secretWith(0o600)
    await vi.waitFor(async () => expect(Date.now() - (await stat(path)).ctimeMs).toBeGreaterThan(20))
    expect([await readPrivateFile(path), await readPrivateFile(path)]).toEqual(['sésame', 'sésame'])
    await writeFile(path, 'change')
    expect(await readPrivateFile(path)).toBe('change')
    await chmod(path, 0o644)
    await expect(readPrivateFile(path)).rejects.toMatchObject({ code: 'UNSAFE_PATH' })
    await rm(path)
    expect(await readPrivateFile(path)).toBeNull()
  })

  it('may be missing, also with its folder', async () => {
    const path = await secretWith(0o600)
    expect(await readPrivateFile(`${path}-missing`)).toBeNull()
    expect(await readPrivateFile(`${path}-missing/file`)).toBeNull()
    expect(await readPrivateFile(`${path}/file`)).toBeNull()
  })

  it('is never missing for another reason', async () => {
    const folder = join(await tempDir(), 'folder')
    await mkdir(folder, { mode: 0o700 })
    await expect(readPrivateFile(folder)).rejects.toMatchObject({ code: 'EISDIR' })
    await expect(readPrivateFile(join(folder, 'x'.repeat(300)))).rejects.toMatchObject({
      code: 'ENAMETOOLONG',
    })
  })
})
