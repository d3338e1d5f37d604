import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { build } from 'rolldown'

/**
 * A program of this folder in one file, which starts three times as fast.
 *
 * @param folder where to put it. Default: a folder that goes with the test
 */
export async function bundledProgram(name = 'faulty-program.mjs', folder?: string): Promise<string> {
  const file = join(folder ?? (await tempDir()), name)
  const input = fileURLToPath(new URL(name, import.meta.url))
  await build({
    input,
    platform: 'node',
    output: { file, format: 'esm', codeSplitting: false },
    logLevel: 'silent',
  })
  return file
}
