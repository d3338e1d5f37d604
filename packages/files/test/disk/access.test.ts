import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callsFor, giveTo, type Owner } from '../../src/disk/access.ts'
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
    giveTo({ ...SELF, ...more }, file.fd, mode)
    expect((await stat(path)).mode & 0o777).toBe(expected)
  })
})

describe('the calls for an owner', () => {
  it('are the ordinary ones where there is no owner', async () => {
    const calls = diskCalls(await tempDir())
    expect(callsFor(undefined, calls)).toBe(calls)
  })

  it('give away what they create, and nothing else', async () => {
    const root = await tempDir()
    const calls = callsFor({ ...SELF, isShared: true }, diskCalls(root))
    const modeAfter = async (name: string, flags: number, mode?: number): Promise<number> => {
      const file = await calls.open(join(root, name), flags, mode)
      await calls.close(file)
      return (await stat(join(root, name))).mode & 0o777
    }
    expect(await modeAfter('a', CREATE)).toBe(0o640)
    expect(await modeAfter('b', CREATE, 0o400)).toBe(0o440)
    const file = await diskCalls(root).open(join(root, 'c'), CREATE, 0o600)
    await diskCalls(root).close(file)
    expect(await modeAfter('c', constants.O_RDONLY)).toBe(0o600)
  })
})
