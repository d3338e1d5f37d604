import { readlinkSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { ownProcessHandle } from '../../src/lib/process-handle.ts'

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>()
  return { ...real, readlinkSync: vi.fn(real.readlinkSync) }
})

it.runIf(process.platform === 'linux')('a process looks for its handle again after a failure', async () => {
  vi.mocked(readlinkSync).mockImplementationOnce(() => {
    throw new Error('no descriptor is left')
  })
  expect(await ownProcessHandle()).toBeUndefined()
  expect(await ownProcessHandle()).toMatch(`${process.pid} `)
})
