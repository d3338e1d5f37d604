import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { privateFiles } from '../../../src/sandbox/isolation/policy.ts'

it('finds what not everybody may read, and follows no links', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandagent-private-'))
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 10 }))
  const modes = { 'open/secret': 0o640, 'open/text': 0o644, 'closed/text': 0o644, 'skipped/secret': 0o600 }
  for (const [name, mode] of Object.entries(modes)) {
    await mkdir(join(folder, name, '..'), { recursive: true, mode: 0o755 })
    await writeFile(join(folder, name), '')
    await chmod(join(folder, name), mode)
  }
  await chmod(join(folder, 'closed'), 0o750)
  await symlink('closed', join(folder, 'open/linked'))
  const found = privateFiles(folder, [join(folder, 'skipped')])
  expect(found.sort()).toEqual([join(folder, 'closed'), join(folder, 'open/secret')])
})
