import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMemory } from '../../src/disk/memory.ts'
import { createLocalFiles } from '../../src/internal.ts'
import { diskCalls } from '../../src/lib/disk-calls.ts'

/** Longer than a tick of the kernel's clock, so that a file that was written before is remembered. */
const SETTLING_MS = 30

async function remembered() {
  const root = await tempDir()
  const path = join(root, 'folder/file')
  const files = createLocalFiles(root)
  mkdirSync(join(root, 'folder'))
  writeFileSync(path, 'one')
  await sleep(SETTLING_MS)
  expect(await files.read('folder/file')).toBe('one')
  return { root, path, files, read: () => files.read('folder/file') }
}

describe.runIf(diskCalls('/').isLocal)('what was read', () => {
  it('is not read again while nothing changes', async () => {
    const { files, root, read } = await remembered()
    expect(await files.list('folder')).toEqual(['file'])
    const calls = diskCalls(root)
    const used = [vi.spyOn(calls, 'open'), vi.spyOn(calls, 'read'), vi.spyOn(calls, 'names')]
    onTestFinished(() => void vi.restoreAllMocks())
    expect(await read()).toBe('one')
    expect(await files.list('folder')).toEqual(['file'])
    for (const call of used) expect(call).not.toHaveBeenCalled()
  })

  it('is read again after it was overwritten in place, though its size and its times were put back', async () => {
    const { path, read } = await remembered()
    const { atime, mtime } = await stat(path)
    writeFileSync(path, 'two')
    utimesSync(path, atime, mtime)
    expect(await read()).toBe('two')
  })

  it('is read again at every change, however quickly changes follow each other', async () => {
    const { path, read } = await remembered()
    for (let n = 0; n < 300; n++) {
      writeFileSync(path, String(100 + n))
      expect(await read()).toBe(String(100 + n))
      if (n % 30 === 0) await sleep(SETTLING_MS)
      expect(await read()).toBe(String(100 + n))
    }
  })

  it('is read again when another file takes its place', async () => {
    const { root, path, read } = await remembered()
    writeFileSync(join(root, 'other'), 'two')
    renameSync(join(root, 'other'), path)
    expect(await read()).toBe('two')
    rmSync(path)
    expect(await read()).toBeNull()
  })

  it('does not hide a link that takes the place of the file, or of its folder', async () => {
    const { root, path, read } = await remembered()
    mkdirSync(join(root, 'elsewhere'))
    writeFileSync(join(root, 'elsewhere/file'), 'secret')
    rmSync(path)
    symlinkSync('../elsewhere/file', path)
    await expect(read()).rejects.toMatchObject({ code: 'UNSAFE_PATH' })
    rmSync(join(root, 'folder'), { recursive: true })
    symlinkSync('elsewhere', join(root, 'folder'))
    await expect(read()).rejects.toMatchObject({ code: 'UNSAFE_PATH' })
  })

  it('of a folder is read again after an entry came or went', async () => {
    const { root, files } = await remembered()
    for (let n = 0; n < 50; n++) {
      const names = (await files.list('folder')).sort()
      writeFileSync(join(root, `folder/${n}`), '')
      expect((await files.list('folder')).sort()).toEqual([...names, `${n}`].sort())
      if (n % 10 === 0) await sleep(SETTLING_MS)
      if (n % 2 === 0) rmSync(join(root, `folder/${n}`))
    }
  })
})

describe('createMemory', () => {
  it('keeps nothing of a disk that is not local, of a file that just changed, and where times are whole seconds', async () => {
    const path = join(await tempDir(), 'file')
    writeFileSync(path, '')
    const stats = await stat(path)
    const keeps = async (isLocal: boolean, ctimeMs: number): Promise<boolean> => {
      const memory = createMemory<string>()
      const then = Object.assign(Object.create(stats), { ctimeMs })
      const calls = { ...diskCalls('/'), isLocal, lstat: () => then }
      memory.keep(calls, path, then, 'known')
      return (await memory.recall(calls, path)) === 'known'
    }
    const old = Date.now() - 1000
    expect(await keeps(true, old + 0.5)).toBe(true)
    expect(await keeps(false, old + 0.5)).toBe(false)
    expect(await keeps(true, Date.now() - 1.5)).toBe(false)
    expect(await keeps(true, Math.floor(old / 1000) * 1000)).toBe(false)
  })
})
