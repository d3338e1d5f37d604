import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { openRecord } from '@sandagent/testing'
import { expect, it } from 'vitest'
import { answerFile } from '../support/question-files.ts'

const SCRIPT = fileURLToPath(new URL('../support/programs/answer-without-descriptors.mjs', import.meta.url))

it('a host without file descriptors refuses an answer for the moment, and stores it for the question once it can', async () => {
  const workdir = await tempDir()
  const questions = [{ id: 'q1', question: 'Which one?', options: [{ label: 'A' }, { label: 'B' }] }]
  await createFileRunnerChannel({ workdir }).open(openRecord('t1', { questions }))
  const limited = ['-c', 'ulimit -n 200; exec "$@"', 'sh', process.execPath, SCRIPT, workdir]
  const { stdout } = await promisify(execFile)('sh', limited)
  const statuses: number[] = JSON.parse(stdout)
  expect(statuses.length).toBeGreaterThan(1)
  expect(statuses).toEqual([...statuses.slice(1).map(() => 503), 200])
  expect(await answerFile(workdir, 't1')).toMatchObject({ nonce: 'nonce of t1', status: 'completed' })
})
