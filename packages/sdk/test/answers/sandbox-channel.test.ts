import type { Candidates, HostQuestions } from '@sandagent/core/store'
import { ownProcessHandle } from '@sandagent/files/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createMemoryChannel } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { channelOf } from '../../src/answers/sandbox-channel.ts'
import { createSigningKey, LocalSandbox, parseSigningKeys, submitAnswer } from '../../src/index.ts'
import type { AnswerableSandbox } from '../../src/sandbox/sandbox.ts'
import { ask, tempSandbox } from '../support/temp-sandbox.ts'

/** What a store is given that tells elsewhere which answers count. */
async function givenBy(options: Parameters<typeof channelOf>[1]): Promise<Candidates> {
  const { sandbox } = createMemoryChannel()
  const given: Candidates[] = []
  const questions: HostQuestions = {
    ...(sandbox.questions as HostQuestions),
    async read(toolCallIds, candidates) {
      given.push(candidates ?? {})
      return toolCallIds.map((toolCallId) => ({ toolCallId, record: null, answer: null }))
    },
  }
  await channelOf({ questions, runs: { keyIds: async () => undefined } }, options).read('q')
  return given[0] ?? {}
}

describe('a channel of a sandbox', () => {
  it('gives the store the public keys of its host: those that are given, none, or those of this machine', async () => {
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    vi.stubEnv('SANDAGENT_SIGNING_KEY', '')
    vi.stubEnv('XDG_CONFIG_HOME', await tempDir())
    const keysGivenBy = async (options: Parameters<typeof channelOf>[1]) =>
      (await givenBy(options)).publicKeys?.()
    const signingKeys = await parseSigningKeys(await createSigningKey())
    expect(await keysGivenBy({ signingKeys })).toEqual(signingKeys.publicKeys)
    expect(await keysGivenBy({ signingKeys: null })).toBeNull()
    expect(await keysGivenBy({})).toBeNull()
    const own = await createSigningKey()
    vi.stubEnv('SANDAGENT_SIGNING_KEY', own)
    expect(await keysGivenBy({})).toEqual((await parseSigningKeys(own)).publicKeys)
    expect(await keysGivenBy({ signingKeys: null })).toBeNull()
  })

  it('warns where its host says', async () => {
    const onWarning = vi.fn()
    const warning = { code: 'INVALID_FILE', message: 'It is broken' } as const
    ;(await givenBy({ onWarning })).onWarning?.(warning)
    expect(onWarning).toHaveBeenCalledWith(warning)
  })

  it('is of a sandbox', () => {
    expect(() => channelOf({} as AnswerableSandbox)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    )
  })
})

describe('a run whose sandbox can look at its processes', () => {
  /** A question of `run-1`, whose process is recorded, in a sandbox where this process alone runs. */
  async function asking(recorded: string | null, asker: string, runId = 'run-1') {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'a', undefined, { runId })
    const path = '.sandagent/questions/a.json'
    const record = JSON.parse((await sandbox.files.read(path)) ?? '')
    await sandbox.files.writeAtomic(path, JSON.stringify({ ...record, process: asker }))
    if (recorded !== null) {
      const run = { version: 1, runId: 'run-1', attempt: 1, agent: 'a', args: [], prompt: '', metadata: {} }
      const facts = { process: recorded, startedAt: '2026-01-01T00:00:00.000Z', maxLogBytes: 1000 }
      await sandbox.files.writeAtomic('.sandagent/runs/run-1/1.json', '{}')
      await sandbox.files.writeAtomic(
        '.sandagent/runs/run-1/1/run.json',
        JSON.stringify({ ...run, ...facts }),
      )
    }
    const { runEnded } = await channelOf(sandbox, { signingKeys: null }).read('a')
    return runEnded === true
  }
  const running = async () => (await ownProcessHandle()) as string
  const gone = async () => {
    const [pid, , system] = (await running()).split(' ')
    return `${pid} 1 ${system}`
  }

  it('has ended with its recorded process, whatever the record of its question says', async () => {
    expect(await asking(await gone(), await running())).toBe(true)
    expect(await asking(await running(), await gone())).toBe(false)
  })

  it('has ended with the process that asked, if it has no record', async () => {
    expect(await asking(null, await gone())).toBe(true)
    expect(await asking(null, await running())).toBe(false)
    expect(await asking(null, await gone(), '../no run')).toBe(true)
  })
})

it('an answer that the host did not sign is no answer to a run that was given its keys', async () => {
  const sandbox = await tempSandbox()
  await ask(sandbox, 'a')
  const answer = { toolCallId: 'a', answers: { 'Which language?': 'Python' } }
  await submitAnswer(sandbox, answer, { signingKeys: null })
  const key = await createSigningKey()
  const signingKeys = await parseSigningKeys(key)
  const answerFor = async (keys: typeof signingKeys | null) =>
    (await channelOf(new LocalSandbox({ workdir: sandbox.workdir }), { signingKeys: keys }).read('a'))
      .answerFile
  expect(await answerFor(signingKeys)).toBeDefined()
  const facts = { version: 1, runId: 'run-1', attempt: 1, agent: 'a', args: [], prompt: '', metadata: {} }
  const process = await ownProcessHandle()
  const run = { ...facts, process, startedAt: '2026-01-01T00:00:00.000Z', maxLogBytes: 1000 }
  await sandbox.files.writeAtomic('.sandagent/runs/run-1/1.json', '{}')
  await sandbox.files.writeAtomic(
    '.sandagent/runs/run-1/1/run.json',
    JSON.stringify({ ...run, publicKeyIds: [JSON.parse(key).kid] }),
  )
  expect(await answerFor(signingKeys)).toBeUndefined()
  expect(await answerFor(null)).toBeDefined()
})
