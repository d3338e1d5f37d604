import { open } from 'node:fs/promises'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished } from 'vitest'
import { syncFolder } from '../../src/disk/sync.ts'
import { diskCalls } from '../../src/lib/disk-calls.ts'

/** A folder whose syncs end when the test says so. */
async function slowFolder() {
  const path = await tempDir()
  const file = await open(path)
  onTestFinished(() => file.close())
  const syncs: ReturnType<typeof withResolvers>[] = []
  const calls = {
    ...diskCalls(path),
    sync(): Promise<void> {
      const sync = withResolvers()
      syncs.push(sync)
      return sync.promise
    },
  }
  const ended: string[] = []
  const sync = (name: string): Promise<void> =>
    syncFolder(calls, file.fd).then(
      () => void ended.push(name),
      () => void ended.push(`${name} failed`),
    )
  return { syncs, ended, sync }
}

function withResolvers() {
  let resolve = (): void => {}
  let reject = (_: Error): void => {}
  const promise = new Promise<void>((...both) => {
    ;[resolve, reject] = both
  })
  return { promise, resolve, reject }
}

it('syncs a folder once for all that came while it was syncing, and not before that', async () => {
  const { syncs, ended, sync } = await slowFolder()
  const all = ['first', 'second', 'third'].map(sync)
  await expect.poll(() => syncs.length).toBe(1)
  syncs[0]?.resolve()
  await all[0]
  expect(ended).toEqual(['first'])
  await expect.poll(() => syncs.length).toBe(2)
  const late = sync('late')
  syncs[1]?.resolve()
  await Promise.all(all)
  await expect.poll(() => syncs.length).toBe(3)
  expect(ended).toEqual(['first', 'second', 'third'])
  syncs[2]?.resolve()
  await late
})

it('tells all that waited for a sync that it failed, and syncs again for the others', async () => {
  const { syncs, ended, sync } = await slowFolder()
  const all = ['first', 'second', 'third'].map(sync)
  await expect.poll(() => syncs.length).toBe(1)
  syncs[0]?.reject(new Error('EIO'))
  await expect.poll(() => syncs.length).toBe(2)
  syncs[1]?.resolve()
  await Promise.all(all)
  expect(ended).toEqual(['first failed', 'second', 'third'])
  const after = sync('after')
  await expect.poll(() => syncs.length).toBe(3)
  syncs[2]?.resolve()
  await after
})
