import { constants, Dir, writeFileSync } from 'node:fs'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { diskCalls } from '../../src/disk/disk-calls.ts'

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL

it('the calls of a folder stay the same, and those of a missing folder do not make it wait', async () => {
  const root = await tempDir()
  expect(diskCalls(root)).toBe(diskCalls(root))
  expect(diskCalls(join(root, 'missing'))).toBe(diskCalls('/nowhere'))
})

it.runIf(process.platform === 'linux')('a disk that may not answer is called by threads', () => {
  const calls = diskCalls('/proc')
  expect(calls).toBe(diskCalls('/nowhere'))
  expect(calls.realpath('/proc')).toBeInstanceOf(Promise)
  // Each write takes one of the four threads of Node.
  expect(calls.writing.concurrency).toBe(2)
})

it.runIf(process.platform === 'linux')('a list that fails closes its folder', async () => {
  const root = await tempDir()
  let folder: Dir | undefined
  const reading = vi.spyOn(Dir.prototype, 'readSync').mockImplementationOnce(function (this: Dir) {
    folder = this
    throw Object.assign(new Error('EIO'), { code: 'EIO' })
  })
  onTestFinished(() => reading.mockRestore())
  await expect(diskCalls(root).names(root, 10)).rejects.toMatchObject({ code: 'EIO' })
  expect(() => folder?.closeSync()).toThrow('was closed')
})

describe.each([
  ['of its disk', (root: string) => diskCalls(root)],
  ['by threads', () => diskCalls('/nowhere')],
])('the calls %s', (_, callsFor) => {
  it('write a file, sync it, and read any part of it', async () => {
    const root = await tempDir()
    const calls = callsFor(root)
    const path = join(root, 'f')
    const written = await calls.open(path, CREATE, 0o640)
    await calls.write(written, 'sésame')
    await calls.sync(written)
    await calls.close(written)
    expect(await readFile(path, 'utf8')).toBe('sésame')

    const opened = (await calls.openIfThere(path, constants.O_RDONLY)) as number
    expect(await calls.stat(opened)).toMatchObject({ size: 7 })
    const part = Buffer.alloc(3)
    expect(await calls.read(opened, part, 3)).toBe(3)
    expect(`${part}`).toBe('sam')
    expect(await calls.read(opened, Buffer.alloc(10), 5)).toBe(2)
    await calls.close(opened)
  })

  it('tell what is missing', async () => {
    const root = await tempDir()
    const calls = callsFor(root)
    const missing = async () => calls.openIfThere(join(root, 'missing'), constants.O_RDONLY)
    expect(await missing().catch(({ code }) => (code === 'ENOENT' ? null : code))).toBeNull()
    expect(await calls.lstat(join(root, 'missing'))).toBeUndefined()
    await expect((async () => calls.lstat(join(root, 'x'.repeat(300))))()).rejects.toMatchObject({
      code: 'ENAMETOOLONG',
    })
    await expect((async () => calls.unlink(join(root, 'missing')))()).rejects.toMatchObject({
      code: 'ENOENT',
    })
  })

  it('look at links, and follow them to the end', async () => {
    const root = await tempDir()
    const calls = callsFor(root)
    await writeFile(join(root, 'f'), 'text')
    await symlink('f', join(root, 'link'))
    expect(await calls.readlink(join(root, 'link'))).toBe('f')
    expect(await calls.realpath(join(root, 'link'))).toBe(await calls.realpath(join(root, 'f')))
    expect((await calls.lstat(join(root, 'link')))?.isSymbolicLink()).toBe(true)
  })

  it('list a folder, as far as wanted', async () => {
    const root = await tempDir()
    const calls = callsFor(root)
    expect(await calls.names(root, 10)).toEqual([])
    const all = Array.from({ length: 1100 }, (_, n) => `f${n}`)
    for (const name of all) writeFileSync(join(root, name), '')
    expect((await calls.names(root, 2000)).sort()).toEqual(all.sort())
    for (const most of [1, 999, 1000, 1001]) expect(new Set(await calls.names(root, most)).size).toBe(most)
    await expect(calls.names(join(root, 'missing'), 10)).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(calls.names(join(root, 'f0'), 10)).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it('link, rename and remove', async () => {
    const root = await tempDir()
    const calls = callsFor(root)
    await writeFile(join(root, 'f'), 'text')
    await calls.link(join(root, 'f'), join(root, 'g'))
    await calls.rename(join(root, 'g'), join(root, 'h'))
    await calls.unlink(join(root, 'f'))
    expect(await calls.lstat(join(root, 'g'))).toBeUndefined()
    expect(await calls.lstat(join(root, 'f'))).toBeUndefined()
    expect(await readFile(join(root, 'h'), 'utf8')).toBe('text')
  })
})
