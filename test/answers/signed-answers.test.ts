import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { Outcome } from '@sandagent/core'
import { answerFilePath, createFileRunnerChannel, questionRecordPath } from '@sandagent/files'
import { askUser, createVerifiedChannel, type VerifiedChannel } from '@sandagent/runner'
import {
  AskError,
  createAnswerHandler,
  createSigningKey,
  declineQuestion,
  type LocalSandbox,
  listQuestions,
  parseSigningKeys,
  type SigningKeys,
  startRun,
  stopRun,
  streamRun,
  submitAnswer,
} from '@sandagent/sdk'
import { openRecord } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { ended } from '../support/runner-process.ts'
import { post, serve } from '../support/servers/serve.ts'
import { tempSandbox } from '../support/workspace.ts'

const QUESTION = { question: 'Which language?', options: [{ label: 'TypeScript' }, { label: 'Python' }] }
const python = { toolCallId: 'toolu_1', answers: { 'Which language?': 'Python' } }
const typescript = { toolCallId: 'toolu_1', answers: { 'Which language?': 'TypeScript' } }

const newKeys = async (): Promise<SigningKeys> => parseSigningKeys(await createSigningKey())

interface Asking {
  sandbox: LocalSandbox
  outcome: Promise<Outcome>
  channel: VerifiedChannel
}

/** Asks `toolu_1` in a sandbox whose runner takes what these keys signed alone. */
async function asking(keys: SigningKeys, sandbox?: LocalSandbox): Promise<Asking> {
  const place = sandbox ?? (await tempSandbox())
  const files = createFileRunnerChannel({ workdir: place.workdir })
  const channel = createVerifiedChannel(files, { publicKeys: keys.publicKeys })
  return new Promise((resolve, reject) => {
    const request = { toolCallId: 'toolu_1', questions: [QUESTION], runId: 'run-1' }
    const onAsked = () => resolve({ sandbox: place, outcome, channel })
    const outcome = askUser(channel, request, { onAsked })
    outcome.catch(reject)
  })
}

/** The answer file of a call. */
const answerFile = ({ workdir }: LocalSandbox, toolCallId = 'toolu_1'): string =>
  join(workdir, answerFilePath(toolCallId))

const signatureIn = async (sandbox: LocalSandbox): Promise<string | undefined> =>
  JSON.parse(await readFile(answerFile(sandbox), 'utf8')).signature

describe('a question of a program of its own, which checks signatures', () => {
  it('is not answered by a host whose key is lost or replaced, and the reply says why', async () => {
    const keys = await newKeys()
    const { sandbox, outcome } = await asking(keys)
    const other = await newKeys()
    for (const signingKeys of [null, other]) {
      const url = await serve(
        createAnswerHandler({ sandbox, signingKeys, authorize: () => true, onError: () => {} }),
      )
      for (const status of ['pending', 'completed', 'declined']) {
        const reply = await post(url, { ...python, status })
        expect([reply.status, (await reply.json()).error]).toEqual([
          503,
          { code: 'NO_SIGNING_KEY', message: expect.stringContaining('key'), faults: [] },
        ])
      }
    }
    expect(await readdir(join(sandbox.workdir, '.sandagent/approvals'))).toEqual([])
    await submitAnswer(sandbox, python, { signingKeys: keys })
    expect(await outcome).toMatchObject({ kind: 'answered' })
  })

  it('is answered by the key that its process knows, also after another process took it up', async () => {
    const [before, after] = [await newKeys(), await newKeys()]
    const { sandbox } = await asking(before)
    const { outcome } = await asking(after, sandbox)
    await expect(submitAnswer(sandbox, python, { signingKeys: before })).rejects.toMatchObject({
      code: 'NO_SIGNING_KEY',
    })
    await submitAnswer(sandbox, python, { signingKeys: after })
    expect(await outcome).toMatchObject({ kind: 'answered' })
  })

  it('counts no unsigned answer file, and a host with its key says that it waits', async () => {
    const keys = await newKeys()
    const { sandbox } = await asking(keys)
    const { channel } = await asking(keys, sandbox)
    await submitAnswer(sandbox, { ...python, status: 'pending' }, { signingKeys: keys })
    const draft = JSON.parse(await readFile(answerFile(sandbox), 'utf8'))
    const forged = { ...draft, signature: undefined, status: 'completed' }
    await writeFile(answerFile(sandbox), JSON.stringify(forged))
    expect(await channel.read('toolu_1')).toBeNull()
    expect(await listQuestions(sandbox, { signingKeys: keys })).toMatchObject([{ state: 'open' }])
  })
})

describe('a signed answer', () => {
  it('reaches a runner that demands it, by way of submitAnswer', async () => {
    const keys = await newKeys()
    const { sandbox, outcome, channel } = await asking(keys)
    await submitAnswer(sandbox, { ...typescript, status: 'pending' }, { signingKeys: keys })
    await submitAnswer(sandbox, python, { answeredBy: 'ada', signingKeys: keys })
    expect(await outcome).toMatchObject({
      kind: 'answered',
      responses: { q1: { selected: ['Python'] } },
      answeredBy: 'ada',
    })
    expect(channel.forgeries).toBe(0)
  })

  it('may be a refusal', async () => {
    const keys = await newKeys()
    const { sandbox, outcome } = await asking(keys)
    await declineQuestion(sandbox, { toolCallId: 'toolu_1', reason: 'Not now' }, { signingKeys: keys })
    expect(await outcome).toMatchObject({ kind: 'declined', reason: 'Not now' })
  })

  it('reaches a runner that demands it, by way of the answer handler', async () => {
    const keys = await newKeys()
    const { sandbox, outcome } = await asking(keys)
    const { POST } = createAnswerHandler({ sandbox, signingKeys: keys, authorize: () => true })
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(python)
    const response = await POST(new Request('http://localhost/api/answer', { method: 'POST', headers, body }))
    expect(response.status).toBe(200)
    expect(await outcome).toMatchObject({ kind: 'answered' })
  })

  it('is for one workdir: copied into another one it is ignored, though id and questions are the same', async () => {
    const keys = await newKeys()
    const [mine, yours] = [await asking(keys), await asking(keys)]
    await submitAnswer(mine.sandbox, typescript, { signingKeys: keys })
    await mine.outcome
    await writeFile(answerFile(yours.sandbox), await readFile(answerFile(mine.sandbox)))
    await vi.waitFor(() => expect(yours.channel.forgeries).toBe(1))
    await rm(answerFile(yours.sandbox))
    await submitAnswer(yours.sandbox, python, { signingKeys: keys })
    expect(await yours.outcome).toMatchObject({ responses: { q1: { selected: ['Python'] } } })
  })

  it('is signed by the keys of this host where there are any, and else not', async () => {
    const key = await createSigningKey()
    const { sandbox, outcome } = await asking(await parseSigningKeys(key))
    const other = await tempSandbox()
    await createFileRunnerChannel({ workdir: other.workdir }).open(
      openRecord('toolu_1', { questions: [{ ...QUESTION, id: 'q1' }] }),
    )
    await submitAnswer(other, { ...typescript, status: 'pending' }, { signingKeys: null })
    expect(await signatureIn(other)).toBeUndefined()
    vi.stubEnv('SANDAGENT_SIGNING_KEY', key)
    await submitAnswer(sandbox, python).finally(() => vi.unstubAllEnvs())
    expect(await outcome).toMatchObject({ kind: 'answered', responses: { q1: { selected: ['Python'] } } })
  })
})

describe('a run', () => {
  const ASKS = `
echo "keys: $SANDAGENT_SIGNING_KEY"
echo '{"type":"ask","questions":[{"question":"Your name?"}]}'
read -r answer
echo "answer: $answer"
`
  const start = async (sandbox: LocalSandbox, keys?: SigningKeys | null): Promise<void> => {
    const request = {
      agent: 'command',
      args: ['--', 'sh', '-c', ASKS],
      prompt: 'Go',
      runId: 'r',
      runner: [process.execPath, join(root, 'packages/cli/dist/main.js')] as const,
    }
    await startRun(sandbox, request, keys === undefined ? {} : { signingKeys: keys })
    onTestFinished(async () => {
      await stopRun(sandbox, 'r', { graceMs: 0 })
      await ended(sandbox.workdir, {})
    })
  }
  const question = (sandbox: LocalSandbox): Promise<string> =>
    vi.waitFor(async () => {
      const [first] = await listQuestions(sandbox)
      if (!first) throw new Error('Nothing is asked')
      return first.toolCallId
    })
  const viewOf = async (sandbox: LocalSandbox, toolCallId: string): Promise<unknown> => {
    const { GET } = createAnswerHandler({ sandbox, authorize: () => true })
    return (await GET(new Request(`http://localhost/?toolCallId=${toolCallId}`))).json()
  }
  const logOf = ({ files }: LocalSandbox) => files.read('.sandagent/runs/r/1/stderr.log')
  const streamOf = async (sandbox: LocalSandbox) =>
    text((await streamRun(sandbox, 'r')) as NodeReadableStream)

  it('takes no answer but that of its host, and tells of the others', async () => {
    const sandbox = await tempSandbox()
    await start(sandbox)
    const toolCallId = await question(sandbox)
    await submitAnswer(sandbox, { toolCallId, answers: { 'Your name?': 'Mallory' }, status: 'pending' }, {})
    const draft = JSON.parse(await readFile(answerFile(sandbox, toolCallId), 'utf8'))
    await writeFile(
      answerFile(sandbox, toolCallId),
      JSON.stringify({ ...draft, signature: undefined, status: 'completed' }),
    )
    await vi.waitFor(async () => expect(await logOf(sandbox)).toContain('not signed'))
    await writeFile(answerFile(sandbox, toolCallId), JSON.stringify(draft))
    await submitAnswer(sandbox, { toolCallId, answers: { 'Your name?': 'Ada' } })
    const stream = await streamOf(sandbox)
    expect(stream).toContain('Ada')
    expect(stream).not.toContain('Mallory')
  })

  it('is answered past answer files that somebody in the sandbox wrote, which the host does not take for answers', async () => {
    const sandbox = await tempSandbox()
    await start(sandbox)
    const toolCallId = await question(sandbox)
    const { nonce } = JSON.parse((await sandbox.files.read(questionRecordPath(toolCallId))) as string)
    const forged = {
      questions: [{ question: 'Your name?' }],
      answers: { 'Your name?': 'Mallory' },
      responses: { q1: { selected: [], freeText: 'Mallory', source: 'human' } },
      status: 'completed',
      timestamp: new Date().toISOString(),
      toolCallId,
      nonce,
      revision: 7,
      answeredBy: 'ada',
    }
    const folder = dirname(answerFile(sandbox, toolCallId))
    for (const name of [`${toolCallId}.json`, `.${toolCallId}.final`])
      await writeFile(join(folder, name), JSON.stringify(forged))
    expect(await listQuestions(sandbox)).toMatchObject([{ toolCallId, state: 'open', revision: 0 }])
    await submitAnswer(sandbox, { toolCallId, answers: { 'Your name?': 'Ada' } })
    const stream = await streamOf(sandbox)
    expect(stream).toContain('Ada')
    expect(stream).not.toContain('Mallory')
    const view = await viewOf(sandbox, toolCallId)
    expect(view).toMatchObject({ state: 'answered' })
    expect(view).not.toHaveProperty('disputed')
  })

  it('that is said to have got an answer which nobody gave is disputed', async () => {
    const sandbox = await tempSandbox()
    await start(sandbox)
    const toolCallId = await question(sandbox)
    const path = questionRecordPath(toolCallId)
    const record = JSON.parse((await sandbox.files.read(path)) as string)
    const responses = { q1: { selected: [], freeText: 'Mallory', source: 'human' } }
    const settled = { ...record, state: 'answered', settledAt: new Date().toISOString(), responses }
    await sandbox.files.writeAtomic(path, JSON.stringify(settled))
    expect(await viewOf(sandbox, toolCallId)).toMatchObject({ state: 'answered', disputed: true })
    await sandbox.files.writeAtomic(path, JSON.stringify(record))
    expect(await viewOf(sandbox, toolCallId)).not.toHaveProperty('disputed')
    await submitAnswer(sandbox, { toolCallId, answers: { 'Your name?': 'Ada' } })
    expect(await streamOf(sandbox)).toContain('Ada')
  })

  it('never gets the private key', async () => {
    const sandbox = await tempSandbox()
    const key = await createSigningKey()
    vi.stubEnv('SANDAGENT_SIGNING_KEY', key)
    await start(sandbox).finally(() => vi.unstubAllEnvs())
    const keys = await parseSigningKeys(key)
    await submitAnswer(
      sandbox,
      { toolCallId: await question(sandbox), answers: { 'Your name?': 'Ada' } },
      { signingKeys: keys },
    )
    const stream = await streamOf(sandbox)
    expect(stream).toContain('keys: ')
    expect(stream).not.toContain(JSON.parse(key).d)
    for (const name of ['run.json', 'stderr.log'])
      expect(await sandbox.files.read(`.sandagent/runs/r/1/${name}`)).not.toContain(JSON.parse(key).d)
  })

  it('is answered by a key that it was given, also after a newer one took its place', async () => {
    const sandbox = await tempSandbox()
    const [next, old] = [JSON.parse(await createSigningKey()), JSON.parse(await createSigningKey())]
    await start(sandbox, await parseSigningKeys(JSON.stringify(old)))
    const rotated = await parseSigningKeys(JSON.stringify({ keys: [next, old] }))
    const answer = { toolCallId: await question(sandbox), answers: { 'Your name?': 'Ada' } }
    await submitAnswer(sandbox, answer, { signingKeys: rotated })
    expect(await streamOf(sandbox)).toContain('Ada')
  })

  it('cannot be answered by a host without its key, which says so', async () => {
    const sandbox = await tempSandbox()
    await start(sandbox)
    const answer = { toolCallId: await question(sandbox), answers: { 'Your name?': 'Ada' } }
    for (const keys of [null, await newKeys()]) {
      const refusal = await submitAnswer(sandbox, answer, { signingKeys: keys }).catch(
        (error: unknown) => error,
      )
      expect(refusal).toBeInstanceOf(AskError)
      expect(refusal).toMatchObject({ code: 'NO_SIGNING_KEY' })
    }
    expect(await readdir(join(sandbox.workdir, '.sandagent/approvals'))).toEqual([])
    await submitAnswer(sandbox, answer)
    expect(await streamOf(sandbox)).toContain('Ada')
  })

  it('takes unsigned answers where it was started without keys', async () => {
    const sandbox = await tempSandbox()
    await start(sandbox, null)
    const answer = { toolCallId: await question(sandbox), answers: { 'Your name?': 'Ada' } }
    await submitAnswer(sandbox, answer, { signingKeys: null })
    expect(await streamOf(sandbox)).toContain('Ada')
  })
})
