import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { answerFilePath, createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { openRecord } from '@sandagent/testing'
import { expect, it, onTestFinished } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../support/programs/plain-writer.mjs', import.meta.url))

it('gives only whole answers, and the last one, while another process overwrites the file in place', async () => {
  const workdir = await tempDir()
  const codes: string[] = []
  const runner = createFileRunnerChannel({ workdir, onWarning: ({ code }) => codes.push(code) })
  await runner.open(openRecord('t1'))
  const writing = promisify(execFile)(process.execPath, [SCRIPT, join(workdir, answerFilePath('t1'))])

  const revisions: number[] = []
  const subscription = runner.subscribe('t1')
  onTestFinished(() => subscription.close())
  for (let found = await subscription.next(); found; found = await subscription.next()) {
    const { answers, revision = 0, status } = found
    expect(answers['Which one?'] === `${revision} `.repeat(20_000)).toBe(true)
    revisions.push(revision)
    if (status === 'completed') break
  }
  await writing
  expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b))
  expect(codes.every((code) => code === 'INVALID_FILE')).toBe(true)
})
