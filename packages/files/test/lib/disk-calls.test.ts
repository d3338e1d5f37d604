import { constants, writeFileSync } from 'node:fs'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, vi } from 'vitest'
import { diskCalls, isMissing } from '../../src/lib/disk-calls.ts'

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL

it('the calls of a folder stay the same, and those of a missing folder do not make it wait', async () => {
  const root = await tempDir()
  expect(diskCalls(root)).toBe(diskCalls(root))
  expect(diskCalls(join(root, 'missing'))).toBe(diskCalls('/nowhere'))
})

it.runIf(process.platform === 'linux')('a disk that may not answer is called by threads', async () => {
  const calls = diskCalls('/proc')
  expect(calls).toBe(diskCalls('/nowhere'))
  expect(calls.lstat('/proc')).toBeInstanceOf(Promise)
  // Each write takes one of the four threads of Node.
  const begun: number[] = []
  const ends: (() => void)[] = []
  const writes = [0, 1, 2].map((n) =>
    calls.writing(() => {
      begun.push(n)
      return new Promise<void>((resolve) => ends.push(resolve))
    }),
  )
  expect(begun).toEqual([0, 1])
  ends[0]?.()
  await writes[0]
  await vi.waitFor(() => expect(begun).toEqual([0, 1, 2]))
  for (const end of ends) end()
  await Promise.all(writes)
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

    const opened = await calls.open(path, constants.O_RDONLY)
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
    await expect((async () => calls.open(join(root, 'missing'), constants.O_RDONLY))()).rejects.toMatchObject(
      {
        code: 'ENOENT',
      },
    )
    expect(await calls.lstat(join(root, 'missing'))).toBeUndefined()
    await expect((async () => calls.lstat(join(root, 'x'.repeat(300))))()).rejects.toMatchObject({
      code: 'ENAMETOOLONG',
    })
    await expect((async () => calls.unlink(join(root, 'missing')))()).rejects.toMatchObject({
      code: 'ENOENT',
    })
  })

  it('look at links', async () => {
    const root = await tempDir()
    const calls = callsFor(root)
    await writeFile(join(root, 'f'), 'text')
    await symlink('f', join(root, 'link'))
    expect(await calls.readlink(join(root, 'link'))).toBe('f')
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

it('nothing is missing where there is a link, or where nobody can tell', async () => {
  const root = await tempDir()
  await symlink('nowhere', join(root, 'dangling'))
  await writeFile(join(root, 'file'), '')
  expect(await isMissing(root, 'gone')).toBe(true)
  expect(await isMissing(root, 'file')).toBe(false)
  expect(await isMissing(root, 'dangling')).toBe(false)
  expect(await isMissing(root, 'x'.repeat(300))).toBe(false)
})
