import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import type { LocalSandbox } from '@sandagent/sdk'
import { expect, it, vi } from 'vitest'
import { withRunner } from '../../src/relay/runner-in-one-file.ts'

it('the relay stands in for a runner that is not installed, and for nothing else', async () => {
  const folder = await tempDir()
  const start = vi.fn(async () => ({}))
  const isRunning = vi.fn()
  const sandbox = { workdir: folder, detached: { start, isRunning } } as unknown as LocalSandbox
  const detached = withRunner(sandbox, ['node', 'relay.cjs'])
  const options = { env: { PATH: folder }, stdout: 'o', stderr: 'e' }
  await detached.start('sandagent', ['run'], options)
  await detached.start('other', ['run'], options)
  await writeFile(join(folder, 'sandagent'), '#!/bin/sh\n')
  await chmod(join(folder, 'sandagent'), 0o755)
  await detached.start('sandagent', ['run'], options)
  expect(start.mock.calls).toEqual([
    ['node', ['relay.cjs', 'run'], options],
    ['other', ['run'], options],
    ['sandagent', ['run'], options],
  ])
  expect(detached.isRunning).toBe(isRunning)
})
