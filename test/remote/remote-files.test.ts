import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { pipedSandbox } from '../support/remote/piped-sandbox.ts'

it('a remote sandbox reads, writes, lists and removes files', async () => {
  const { sandbox, workdir } = await pipedSandbox()
  await sandbox.files.writeAtomic('a/b.txt', 'žluťoučký\nkůň\u2028\0')
  expect(await readFile(join(workdir, 'a/b.txt'), 'utf8')).toBe('žluťoučký\nkůň\u2028\0')
  expect(await sandbox.files.read('a/b.txt')).toBe('žluťoučký\nkůň\u2028\0')
  expect(await sandbox.files.read('a/c.txt')).toBeNull()
  expect(await sandbox.files.list('.')).toEqual(['a'])
  expect(await sandbox.files.list('a')).toEqual(['b.txt'])
  expect(await sandbox.files.stat('a/b.txt')).toMatchObject({ size: 23 })
  const piece = await sandbox.files.readFrom('a/b.txt', 13, 6)
  expect(Buffer.from(piece ?? []).toString()).toBe('\nkůň')
  await sandbox.files.remove('a')
  expect(await sandbox.files.list('.')).toEqual([])
})

it('errors of a remote sandbox keep their codes', async () => {
  const { sandbox, workdir } = await pipedSandbox()
  await sandbox.files.writeAtomic('one', '1', { exclusive: true })
  await expect(sandbox.files.writeAtomic('one', '1', { exclusive: true })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  await expect(sandbox.files.read('../secret')).rejects.toMatchObject({ code: 'UNSAFE_PATH' })
  await writeFile(join(workdir, 'large'), 'x'.repeat(1024 * 1024 + 1))
  await expect(sandbox.files.read('large')).rejects.toMatchObject({ code: 'TOO_LARGE' })
  await symlink('/etc', join(workdir, 'link'))
  await expect(sandbox.files.read('link/passwd')).rejects.toMatchObject({ code: 'UNSAFE_PATH' })
  await mkdir(join(workdir, 'folder'))
  await expect(sandbox.files.list('one')).rejects.toMatchObject({ code: expect.any(String) })
})

it('a watch of a remote folder reports a change, and again after the connection was lost', async () => {
  const { sandbox, wire } = await pipedSandbox()
  await sandbox.files.writeAtomic('folder/first', '1')
  const onChange = vi.fn()
  const stop = sandbox.files.watch?.('folder', onChange)
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledWith(null))
  await sandbox.files.writeAtomic('folder/second', '2')
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledWith('second'))
  onChange.mockClear()
  wire.cut()
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledWith(null))
  await vi.waitFor(async () => {
    await sandbox.files.writeAtomic('folder/third', '3')
    expect(onChange).toHaveBeenCalledWith('third')
  })
  stop?.()
  expect(wire.relays).toHaveLength(2)
})

it('a write whose reply is lost is repeated once, and succeeds', async () => {
  const { sandbox, wire, workdir } = await pipedSandbox()
  await sandbox.files.list('.')
  let replies = 0
  wire.onFrame = (direction) => direction === '<' && ++replies === 1
  await sandbox.files.writeAtomic('claimed', 'mine', { exclusive: true })
  expect(wire.relays).toHaveLength(2)
  expect(await readFile(join(workdir, 'claimed'), 'utf8')).toBe('mine')
})

it('of two writers in one process with the same text, one succeeds', async () => {
  const { sandbox, wire } = await pipedSandbox()
  await sandbox.files.list('.')
  let replies = 0
  wire.onFrame = (direction) => direction === '<' && ++replies === 1
  const results = await Promise.allSettled(
    [1, 2].map(() => sandbox.files.writeAtomic('claimed', 'ours', { exclusive: true })),
  )
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})
