import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Owner, ownersGive } from '../../src/disk/access.ts'
import { writeNew } from '../../src/disk/new-file.ts'
import { diskCalls } from '../../src/lib/disk-calls.ts'

const SELF = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }

describe('a file that is given to its owner', () => {
  it.each<[string, Partial<Owner>, number, number]>([
    ['keeps its mode', {}, 0o600, 0o600],
    ['keeps the mode of a folder', {}, 0o700, 0o700],
    ['can be read by its group where it is shared', { isShared: true }, 0o600, 0o640],
    ['can be entered by its group where it is a shared folder', { isShared: true }, 0o700, 0o750],
    ['can be read by its group where nobody may write', { isShared: true }, 0o400, 0o440],
    ['is not shared where that is not wanted', { isShared: false }, 0o600, 0o600],
  ])('%s', async (_, more, mode, expected) => {
    const path = join(await tempDir(), 'file')
    const file = await open(path, 'w')
    onTestFinished(() => file.close())
    ownersGive({ ...SELF, ...more })(file.fd, mode)
    expect((await stat(path)).mode & 0o777).toBe(expected)
  })
})

describe('a new file', () => {
  it('is given with its mode, and one that is for its writer alone is not', async () => {
    const root = await tempDir()
    const give = ownersGive({ ...SELF, isShared: true })
    const modeAfter = async (name: string, options: Parameters<typeof writeNew>[3]): Promise<number> => {
      await writeNew(diskCalls(root), join(root, name), '', options)
      return (await stat(join(root, name))).mode & 0o777
    }
    expect(await modeAfter('a', { give })).toBe(0o640)
    expect(await modeAfter('b', { give, mode: 0o400 })).toBe(0o440)
    expect(await modeAfter('c', { give: undefined })).toBe(0o600)
  })

  it('is closed, and holds nothing, if it cannot be given away', async () => {
    const root = await tempDir()
    const calls = { ...diskCalls(root), close: vi.fn(diskCalls(root).close) }
    const give = (): void => {
      throw new Error('nobody wants it')
    }
    await expect(writeNew(calls, join(root, 'a'), 'text', { give })).rejects.toThrow('nobody wants it')
    expect(calls.close).toHaveBeenCalledOnce()
    expect(await readFile(join(root, 'a'), 'utf8')).toBe('')
  })
})
