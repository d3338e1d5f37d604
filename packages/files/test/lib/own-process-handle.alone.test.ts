import { readlink } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { ownProcessHandle } from '../../src/lib/process-handle.ts'

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  return { ...real, readlink: vi.fn(real.readlink) }
})

it.runIf(process.platform === 'linux')('a process looks for its handle again after a failure', async () => {
  vi.mocked(readlink).mockRejectedValueOnce(new Error('no descriptor is left'))
  expect(await ownProcessHandle()).toBeUndefined()
  expect(await ownProcessHandle()).toMatch(`${process.pid} `)
})
