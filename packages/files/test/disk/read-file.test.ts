import { execFile } from 'node:child_process'
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { MAX_FILE_BYTES } from '@sandagent/core/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readFileSafely as readSafely } from '../../src/disk/read-file.ts'
import { type DiskCalls, diskCalls } from '../../src/lib/disk-calls.ts'

const readFileSafely = (path: string) => readSafely(diskCalls(tmpdir()), path)

const unsafe = { name: 'AskError', code: 'UNSAFE_PATH' }
const makeFifo = (path: string): Promise<unknown> => promisify(execFile)('mkfifo', [path])

describe('readFileSafely', () => {
  it('reads text of any length up to the cap', async () => {
    const path = join(await tempDir(), 'f')
    for (const text of ['', 'ü€😀', 'x'.repeat(MAX_FILE_BYTES), '😀'.repeat(50_000)]) {
      await writeFile(path, text)
      expect((await readFileSafely(path)) === text).toBe(true)
    }
  })

  it('reads what a Windows editor saved without its byte order mark', async () => {
    const path = join(await tempDir(), 'f')
    await writeFile(path, '\ufeff{}')
    expect(await readFileSafely(path)).toBe('{}')
  })

  it('says null for a missing file', async () => {
    expect(await readFileSafely(join(await tempDir(), 'missing/f'))).toBeNull()
  })

  it('refuses a file beyond the cap, however long it claims to be', async () => {
    const path = join(await tempDir(), 'f')
    await writeFile(path, '')
    for (const size of [MAX_FILE_BYTES + 1, 2 ** 40]) {
      await truncate(path, size)
      await expect(readFileSafely(path)).rejects.toMatchObject({
        code: 'TOO_LARGE',
        message: 'The file f is longer than 1048576 bytes',
        facts: { path },
      })
    }
  })

  it('refuses links, also dangling ones, and folders and devices', async () => {
    const root = await tempDir()
    await writeFile(join(root, 'target'), 'secret')
    await symlink('target', join(root, 'link'))
    await symlink('nowhere', join(root, 'dangling'))
    await mkdir(join(root, 'folder'))
    for (const path of [join(root, 'link'), join(root, 'dangling'), join(root, 'folder'), '/dev/zero'])
      await expect(readFileSafely(path), path).rejects.toMatchObject(unsafe)
  })

  it('refuses a FIFO without waiting for its writer', async () => {
    const path = join(await tempDir(), 'fifo')
    await makeFifo(path)
    await expect(readFileSafely(path)).rejects.toMatchObject(unsafe)
  })

  it('refuses a socket', async () => {
    const path = join(await tempDir(), 'socket')
    const server = createServer().listen(path)
    onTestFinished(() => void server.close())
    await new Promise((listening) => server.once('listening', listening))
    await expect(readFileSafely(path)).rejects.toMatchObject(unsafe)
  })

  it('tells what is in the way from what the system refuses', async () => {
    const path = join(await tempDir(), 'f')
    await writeFile(path, 'x')
    const refusing = (code: string) => {
      const open = () => Promise.reject(Object.assign(new Error('refused'), { code }))
      return readSafely({ ...diskCalls(tmpdir()), open }, path)
    }
    for (const code of ['ELOOP', 'EMLINK', 'ENXIO', 'ENOTDIR'])
      await expect(refusing(code), code).rejects.toMatchObject({
        ...unsafe,
        facts: { path },
        cause: { code },
      })
    for (const code of ['EACCES', 'EMFILE', 'EIO'])
      await expect(refusing(code), code).rejects.toMatchObject({ name: 'Error', code })
    expect(await refusing('ENOENT')).toBeNull()
  })

  it.runIf(process.platform === 'linux')('makes no error of a missing file on a local disk', async () => {
    const open = vi.fn()
    expect(await readSafely({ ...diskCalls(tmpdir()), open }, join(await tempDir(), 'missing'))).toBeNull()
    expect(open).not.toHaveBeenCalled()
  })

  it.each([
    ['stays as it is', 0, 2],
    ['changes for a while', 2, 4],
  ])('reads a file that %s until it is the same twice', async (_, changes, reads) => {
    const { calls, path, count, close } = await changing(changes)
    expect(await readSafely(calls, path)).toBe(`text ${changes + 1}`)
    expect(count()).toBe(reads)
    expect(close).toHaveBeenCalledOnce()
  })

  it('gives up a file that is different at each read', async () => {
    const { calls, path, count, close } = await changing(3)
    await expect(readSafely(calls, path)).rejects.toMatchObject({ code: 'INVALID_FILE', facts: { path } })
    expect(count()).toBe(4)
    expect(close).toHaveBeenCalledOnce()
  })
})

/** A file that is overwritten before so many reads. */
async function changing(changes: number) {
  const path = join(await tempDir(), 'f')
  await writeFile(path, '')
  let count = 0
  const disk = diskCalls(tmpdir())
  const close = vi.fn(disk.close)
  const calls: DiskCalls = {
    ...disk,
    close,
    read: (_, into) =>
      Buffer.from(into.buffer, into.byteOffset).write(`text ${Math.min(++count, changes + 1)}`),
  }
  return { calls, path, count: () => count, close }
}
