import { execFile } from 'node:child_process'
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { MAX_FILE_BYTES } from '@sandagent/core/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { diskCalls } from '../../src/disk/disk-calls.ts'
import { readFileSafely as readSafely } from '../../src/disk/read-file-safely.ts'

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
      await expect(readFileSafely(path)).rejects.toMatchObject({ code: 'TOO_LARGE' })
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
    const refusing = (code: string) => {
      const openIfThere = () => Promise.reject(Object.assign(new Error('refused'), { code }))
      return readSafely({ ...diskCalls(tmpdir()), openIfThere }, path)
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
})
