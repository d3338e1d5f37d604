import { execFile } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { answerFileFor, openRecord } from '@sandagent/testing'
import { expect, it, onTestFinished } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../support/programs/read-answer.mjs', import.meta.url))

it('a runner does not take answers that the system hides for absent', async () => {
  const workdir = await tempDir()
  await createFileRunnerChannel({ workdir }).open(openRecord('t1'))
  const folder = join(workdir, '.sandagent/approvals')
  const answer = answerFileFor('t1', { nonce: 'nonce of t1', status: 'completed' })
  await writeFile(join(folder, 't1.json'), JSON.stringify(answer))
  expect(await readAnswer(workdir)).toContain('"status":"completed"')

  await chmod(folder, 0)
  onTestFinished(() => chmod(folder, 0o700))
  expect(await readAnswer(workdir)).toBe('UNREACHABLE')
})

/** What a runner reads in a process that has the rights of its user alone: root could read everything. */
async function readAnswer(workdir: string): Promise<string> {
  const asRoot = process.getuid?.() === 0 ? ['setpriv', '--inh-caps=-all', '--bounding-set=-all'] : []
  const [command = '', ...args] = [...asRoot, process.execPath, SCRIPT, workdir]
  const { stdout } = await promisify(execFile)(command, args)
  return stdout.trim()
}
