import { spawnSync } from 'node:child_process'
import { createFileRunnerChannel } from '@sandagent/files'
import { createVerifiedChannel } from '@sandagent/runner'
import { createSigningKey, parseSigningKeys } from '@sandagent/sdk'
import { openRecord } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import { answerApi } from '../support/remote/asking-run.ts'
import { pipedSandbox } from '../support/remote/piped-sandbox.ts'
import { repeats } from '../support/repeats.ts'

/** Numbers that are the same in every run. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** The long run takes about 12 minutes. */
const CUTS = repeats(60, 1000)
const QUESTIONS = CUTS / 2

it(`nothing is lost or doubled when the connection is cut ${CUTS} times during ${QUESTIONS} answered questions`, async () => {
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const { sandbox, wire, workdir } = await pipedSandbox()
  const files = createFileRunnerChannel({ workdir })
  const runner = createVerifiedChannel(files, { publicKeys: signingKeys.publicKeys })
  const { post } = answerApi(sandbox, signingKeys)
  const draw = random(7)
  let cuts = 0
  let left = 1 + draw(5)
  wire.onFrame = (_, text) => {
    // A connection that carries nothing proves nothing.
    if (cuts === CUTS || text.includes('"sandagent"') || --left > 0) return false
    left = 1 + draw(5)
    cuts++
    return true
  }
  for (let number = 0; number < QUESTIONS || cuts < CUTS; number++) {
    const toolCallId = `toolu_${number}`
    await runner.open(openRecord(toolCallId, { runId: `run-${number}` }))
    const label = draw(2) === 0 ? 'A' : 'B'
    const draft = { toolCallId, answers: { 'Which language?': label === 'A' ? 'B' : 'A' }, status: 'pending' }
    expect(await post(draft)).toMatchObject({ success: true, revision: 1 })
    const answer = { ...draft, answers: { 'Which language?': label }, status: 'completed' }
    expect(await post(answer)).toMatchObject({ success: true, revision: 2 })
    expect(await runner.read(toolCallId)).toMatchObject({
      revision: 2,
      answers: { 'Which language?': label },
    })
  }
  expect(runner.forgeries).toBe(0)
  expect(cuts).toBe(CUTS)
  const names = (await sandbox.files.list('.sandagent/approvals')).filter((name) => name.endsWith('.json'))
  expect(names.length).toBeGreaterThanOrEqual(QUESTIONS)
  expect(new Set(names).size).toBe(names.length)
  sandbox.close()
  // By their command lines: the system gives process numbers again.
  await vi.waitFor(() => expect(spawnSync('pgrep', ['-f', workdir]).stdout.toString()).toBe(''))
  expect(wire.relays.length).toBeGreaterThanOrEqual(CUTS)
}, 1_800_000)
