import { lutimes, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import {
  LocalSandbox,
  listQuestions,
  type RunnerCommand,
  readRun,
  startRun,
  submitAnswer,
} from '@sandagent/sdk'
import { expect, it, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'

const COLOUR = { question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }

async function workspace(sweepAfterMs: number | false) {
  const workdir = await tempDir()
  await writeFile(
    join(workdir, 'scenario.json'),
    JSON.stringify({ steps: [{ ask: { questions: [COLOUR] } }] }),
  )
  const sandbox = new LocalSandbox({ workdir, isolation: 'none', sweepAfterMs })
  return {
    sandbox,
    start: (runId: string, runner: RunnerCommand) =>
      startRun(sandbox, {
        agent: 'scripted',
        args: ['--scenario', 'scenario.json'],
        prompt: 'x',
        runId,
        runner,
      }),
    ended: (runId: string) =>
      vi.waitFor(async () => expect((await readRun(sandbox, runId))?.state).not.toBe('running')),
  }
}

it('the runner of a started run removes settled questions after the time of its sandbox', async () => {
  const { sandbox, start, ended } = await workspace(60_000)
  const runner = [process.execPath, join(root, 'packages/cli/dist/main.js')] as const
  const questions = join(sandbox.workdir, '.sandagent/questions')
  const answer = async (toolCallId: string): Promise<void> => {
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toMatchObject([{ toolCallId }]))
    await submitAnswer(sandbox, { toolCallId, answers: { 'Which colour?': 'Blue' } })
  }
  await start('one', [...runner])
  await answer('one-1')
  await ended('one')
  const dayAgo = Date.now() / 1000 - 24 * 60 * 60
  for (const name of await readdir(questions)) await lutimes(join(questions, name), dayAgo, dayAgo)
  await start('two', [...runner])
  await vi.waitFor(async () => expect(await readdir(questions)).toEqual(['two-1.json']))
  await answer('two-1')
  await ended('two')
})

it('a sandbox that keeps everything says so to its runners', async () => {
  const { sandbox, start, ended } = await workspace(false)
  await start('one', ['echo'])
  await ended('one')
  const printed = join(sandbox.workdir, '.sandagent/runs/one/1/stream.sse')
  expect(await readFile(printed, 'utf8')).toContain(' --sweep-after-ms=never ')
})
