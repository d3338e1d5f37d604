import { writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ownFolder } from '../../src/disk/folder-owner.ts'
import { diskCalls } from '../../src/lib/disk-calls.ts'
import { ownProcessHandle } from '../../src/lib/process-handle.ts'

vi.mock('node:fs/promises', { spy: true })

const options = () => ({ taken: 'Another one has it', onLost: vi.fn(), clock: createFakeClock() })

it('a folder with a live owner cannot be taken, until the owner leaves', async () => {
  const folder = await tempDir()
  const leave = await ownFolder(folder, options())
  await expect(ownFolder(folder, options())).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'Another one has it',
    facts: { folder },
  })
  await leave()
  const next = await ownFolder(folder, options())
  expect(await readdir(folder)).toEqual(['owner-2.json'])
  await next()
})

it('a folder whose owner has died can be taken', async () => {
  const folder = await tempDir()
  await writeFile(join(folder, 'owner-7.json'), JSON.stringify({ process: '999999999 1 elsewhere' }))
  const clock = createFakeClock()
  // The owner cannot be looked at. Its signs tell that it is there, for a while.
  clock.advance(Date.now() - clock.now())
  await expect(ownFolder(folder, { ...options(), clock })).rejects.toMatchObject({ code: 'CONFLICT' })
  clock.advance(100_000)
  const leave = await ownFolder(folder, { ...options(), clock })
  expect(await readdir(folder)).toEqual(['owner-8.json'])
  await leave()
  expect(clock.pending()).toBe(0)
})

it.each(['nobody', '{"process":1}'])('a file with %s keeps others out, and is named', async (text) => {
  const folder = await tempDir()
  const path = join(folder, 'owner-1.json')
  await writeFile(path, text)
  await expect(ownFolder(folder, options())).rejects.toMatchObject({
    code: 'INVALID_FILE',
    message: expect.stringContaining(`${path} does not name an owner`),
  })
})

/** Waits until the last sign of an owner is given. */
const signed = (): Promise<void> =>
  vi.waitFor(() => expect(vi.mocked(utimes).mock.settledResults.at(-1)?.type).toBe('fulfilled'))

it('an owner is told once that its file is gone', async () => {
  const folder = await tempDir()
  const owner = options()
  const leave = await ownFolder(folder, owner)
  owner.clock.advance(20_000)
  await signed()
  expect(owner.onLost).not.toHaveBeenCalled()
  await rm(join(folder, 'owner-1.json'))
  owner.clock.advance(20_000)
  await vi.waitFor(() => expect(owner.onLost).toHaveBeenCalledOnce())
  expect(owner.onLost.mock.calls[0]?.[0]).toMatchObject({ code: 'CONFLICT', facts: { folder } })
  expect(owner.clock.pending()).toBe(0)
  await leave()
})

it('an owner whose file cannot be reached for a while goes on', async () => {
  const parent = await tempDir()
  const folder = join(parent, 'folder')
  await mkdir(folder)
  const owner = options()
  const leave = await ownFolder(folder, owner)
  await signed()
  await rename(folder, `${folder}.away`)
  await writeFile(folder, '')
  const { settledResults } = vi.mocked(utimes).mock
  const reached = settledResults.length
  owner.clock.advance(20_000)
  await vi.waitFor(() => expect(settledResults[reached]?.type).toBe('rejected'))
  await setImmediate()
  expect(owner.onLost).not.toHaveBeenCalled()
  expect(owner.clock.pending()).toBe(1)
  await rm(folder)
  await rename(`${folder}.away`, folder)
  await leave()
})

it('onLost is called once when two signs fail, and never after the owner has left', async () => {
  const owner = options()
  const failures: ((error: Error) => void)[] = []
  const gone = Object.assign(new Error('no file'), { code: 'ENOENT' })
  const leave = await ownFolder(await tempDir(), owner)
  await signed()
  vi.mocked(utimes).mockImplementation(() => new Promise((_, reject) => void failures.push(reject)))
  onTestFinished(() => void vi.mocked(utimes).mockReset())
  for (const _ of [1, 2]) owner.clock.advance(20_000)
  for (const fail of failures.splice(0)) fail(gone)
  await setImmediate()
  expect(owner.onLost).toHaveBeenCalledOnce()
  await leave()

  const other = options()
  const leaveOther = await ownFolder(await tempDir(), other)
  await leaveOther()
  for (const fail of failures) fail(gone)
  await setImmediate()
  expect(other.onLost).not.toHaveBeenCalled()
})

/** A folder whose owner is on another machine, and has given no sign since a time. */
async function silentSince(ms: number): Promise<string> {
  const folder = await tempDir()
  await writeFile(join(folder, 'owner-7.json'), JSON.stringify({ process: '999999999 1 elsewhere' }))
  await utimes(join(folder, 'owner-7.json'), new Date(ms), new Date(ms))
  return folder
}

it('an owner on another machine has 90 seconds for its next sign', async () => {
  const { clock } = options()
  const folder = await silentSince(clock.now() - 90_000)
  await expect(ownFolder(folder, { ...options(), clock })).rejects.toMatchObject({ code: 'CONFLICT' })
  clock.advance(10)
  const leave = await ownFolder(folder, { ...options(), clock })
  const path = join(folder, 'owner-8.json')
  await vi.waitFor(async () => expect((await stat(path)).mtimeMs).toBeCloseTo(clock.now(), 1))
  await leave()
})

it('a folder can be taken at once when its owner ended on this machine', async () => {
  const folder = await tempDir()
  const own = await ownProcessHandle()
  await writeFile(join(folder, 'owner-1.json'), JSON.stringify({ process: own?.replace(/ \S+/, ' 0') }))
  await writeFile(join(folder, 'owner-a.json'), 'no owner')
  const leave = await ownFolder(folder, options())
  expect(await readdir(folder)).toEqual(['owner-2.json', 'owner-a.json'])
  expect(JSON.parse(await readFile(join(folder, 'owner-2.json'), 'utf8'))).toEqual({ process: own })
  await leave()
})

it.each([
  ['has come', 'owner-8.json'],
  ['has come and gone', 'owner-9.json'],
])('a folder to which another owner %s in the meantime is not taken', async (_, name) => {
  const folder = await silentSince(0)
  const clock = createFakeClock()
  const looking = {
    ...clock,
    now() {
      writeFileSync(join(folder, name), '{}')
      return clock.now()
    },
  }
  await expect(ownFolder(folder, { ...options(), clock: looking })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'Another one has it',
  })
  expect(await readdir(folder)).toEqual(['owner-7.json', name])
  expect(clock.pending()).toBe(0)
})

it('a folder whose owner is just being replaced is not taken', async () => {
  const folder = await silentSince(0)
  vi.spyOn(diskCalls(folder), 'names').mockImplementationOnce(async () => {
    await rename(join(folder, 'owner-7.json'), join(folder, 'owner-8.json'))
    return ['owner-7.json']
  })
  await expect(ownFolder(folder, options())).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await readdir(folder)).toEqual(['owner-8.json'])
})

it('an owner that another one replaced leaves nothing behind', async () => {
  const folder = await tempDir()
  const leave = await ownFolder(folder, options())
  await rename(join(folder, 'owner-1.json'), join(folder, 'owner-2.json'))
  await leave()
  expect(await readdir(folder)).toEqual(['owner-2.json'])
})

it.runIf(process.platform === 'linux')('a folder that cannot be written to is no conflict', async () => {
  const error = await ownFolder('/proc/self', options()).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toMatchObject({ code: 'CONFLICT' })
})
