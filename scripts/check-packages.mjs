// Packs the packages as they would be published, and checks what the archives hold and how their types resolve.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { packPackages } from './pack-packages.mjs'
import { run } from './run.mjs'

/** It has a command and nothing to import, so there are no types to resolve. */
const commandOnly = /^sandagent-\d/

const folder = mkdtempSync(join(tmpdir(), 'sandagent-pack-'))
try {
  const { code, archives } = await packPackages(folder)
  const codes = [code]
  for (const archive of archives) {
    codes.push(await run('publint', ['run', archive, '--strict']))
    if (commandOnly.test(basename(archive))) continue
    codes.push(
      await run('attw', [archive, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji'], {
        quiet: true,
      }),
    )
  }
  process.exitCode = codes.every((code) => code === 0) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true })
}
