import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Give, type Owner, openGiven, ownersGive } from '../../src/disk/access.ts'
import { diskCalls } from '../../src/disk/disk-calls.ts'

const SELF = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
const CREATE = constants.O_WRONLY | constants.O_CREAT

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

it('what cannot be given away is closed', async () => {
  const calls = { ...diskCalls('/'), close: vi.fn(diskCalls('/').close) }
  const path = join(await tempDir(), 'file')
  const give = (): void => {
    throw new Error('nobody wants it')
  }
  await expect(openGiven(calls, path, CREATE, 0o600, give)).rejects.toThrow('nobody wants it')
  expect(calls.close).toHaveBeenCalledOnce()
})

it('a file is given with its mode, and one that is for its writer alone is not', async () => {
  const root = await tempDir()
  const calls = diskCalls(root)
  const owner: Owner = { ...SELF, isShared: true }
  const modeAfter = async (name: string, mode: number, give?: Give): Promise<number> => {
    await calls.close(await openGiven(calls, join(root, name), CREATE, mode, give))
    return (await stat(join(root, name))).mode & 0o777
  }
  const give = ownersGive(owner)
  expect(await modeAfter('a', 0o600, give)).toBe(0o640)
  expect(await modeAfter('b', 0o400, give)).toBe(0o440)
  expect(await modeAfter('c', 0o600)).toBe(0o600)
})
