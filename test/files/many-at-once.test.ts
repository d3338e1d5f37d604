import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../support/programs/ask-many.mjs', import.meta.url))

it.skipIf(process.platform === 'win32')(
  'a process with 256 descriptors asks 500 questions at once, lists them, and gets all answers',
  { timeout: 120_000 },
  async () => {
    const limited = [
      '-c',
      'ulimit -n 256 && exec "$@"',
      'sh',
      process.execPath,
      SCRIPT,
      await tempDir(),
      '500',
    ]
    const { stdout } = await promisify(execFile)('sh', limited)
    expect(JSON.parse(stdout)).toEqual({ listed: 500, answered: 500, left: 0 })
  },
)
