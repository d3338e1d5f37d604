// Packs the packages as they would be published, and checks what the archives hold and how their types resolve.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pnpm } from './pnpm.mjs'
import { run } from './run.mjs'

/** It has a command and nothing to import, so there are no types to resolve. */
const commandOnly = /^sandagent-\d/

const folder = mkdtempSync(join(tmpdir(), 'sandagent-pack-'))
try {
  const codes = [
    await pnpm(
      ['--filter=./packages/*', '--filter=!@sandagent/fixtures', 'pack', '--pack-destination', folder],
      { quiet: true },
    ),
  ]
  for (const name of readdirSync(folder)) {
    const archive = join(folder, name)
    codes.push(await run('publint', ['run', archive, '--strict']))
    if (commandOnly.test(name)) continue
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
