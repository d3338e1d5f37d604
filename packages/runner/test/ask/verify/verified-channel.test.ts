import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ANSWER_TOKEN_TYPE,
  type AnswerFile,
  answerClaims,
  type ChannelWarning,
  type OpenRecord,
  type Outcome,
  type Question,
  type QuestionRecord,
  type Responses,
} from '@sandagent/core/internal'
import { createFakeClock } from '@sandagent/testing'
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWK, SignJWT } from 'jose'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type AskOptions,
  askUser,
  createVerifiedChannel,
  parsePublicKeys,
  receiptsWritten,
  type VerifiedChannel,
  type VerifiedChannelOptions,
} from '../../../src/index.ts'
import { createWorkspace, picked, type Workspace } from '../../workspace.ts'

const questions: Question[] = [
  { id: 'language', question: 'Which language?', options: [{ label: 'TypeScript' }, { label: 'Python' }] },
]
const toolCallId = 'call_1'
const request = { toolCallId, questions, runId: 'run_1' }
const python = { language: picked('Python') }
const typescript = { language: picked('TypeScript') }

interface Key {
  kid: string
  secret: GenerateKeyPairResult['privateKey']
  shown: JWK
}

async function createKey(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('Ed25519')
  return { kid, secret: privateKey, shown: { ...(await exportJWK(publicKey)), kid } }
}

const key = await createKey('key-1')
const strangersKey = { ...(await createKey('key-1')), shown: key.shown }

let space: Workspace
let channel: VerifiedChannel
let warnings: ChannelWarning[]
const codes = () => warnings.map(({ code }) => code)

const verified = (options: Partial<VerifiedChannelOptions> = {}): VerifiedChannel =>
  createVerifiedChannel(space.channel, {
    publicKeys: parsePublicKeys(JSON.stringify({ keys: [key.shown] })),
    onWarning: (warning) => warnings.push(warning),
    ...options,
  })

beforeEach(async () => {
  space = await createWorkspace()
  warnings = []
  channel = verified()
})

/** Asks, and resolves once the question can be answered. */
const asking = (options: AskOptions = {}, own: Partial<typeof request> = {}) =>
  new Promise<{ outcome: Promise<Outcome> }>((resolve, reject) => {
    const onAsked = () => resolve({ outcome })
    const outcome = askUser(channel, { ...request, ...own }, { ...options, onAsked })
    outcome.catch(reject)
  })

interface Signing {
  by?: Key
  record?: Partial<QuestionRecord>
  answerFile?: Partial<AnswerFile>
  expiresAt?: Date
  type?: string
  /** A time that the signature does not give. */
  without?: 'iat' | 'exp'
}

/** An answer to the question as it is recorded, as a host signs it. */
async function signed(responses: Responses, signing: Signing = {}): Promise<AnswerFile> {
  const { by = key, expiresAt = new Date(Date.now() + 60_000), type = ANSWER_TOKEN_TYPE } = signing
  const record = { ...(await space.record(toolCallId)), ...signing.record } as QuestionRecord
  const answerFile: AnswerFile = {
    questions,
    answers: {},
    status: 'completed',
    timestamp: new Date().toISOString(),
    version: 1,
    toolCallId,
    nonce: record.nonce,
    revision: 1,
    responses,
    ...signing.answerFile,
  }
  const token = new SignJWT({ ...answerClaims(answerFile, record) })
  token.setProtectedHeader({ alg: 'Ed25519', kid: by.kid, typ: type })
  if (signing.without !== 'iat') token.setIssuedAt()
  if (signing.without !== 'exp') token.setExpirationTime(expiresAt)
  const signature = await token.sign(by.secret)
  return { ...answerFile, signature }
}

/** Writes the answer file in place, as anybody in the sandbox can. */
const plant = (answerFile: AnswerFile): Promise<void> =>
  writeFile(join(space.workdir, '.sandagent/approvals', `${toolCallId}.json`), JSON.stringify(answerFile))

const questionFile = () => join(space.workdir, '.sandagent/questions', `${toolCallId}.json`)

/** Plants an answer file while the question waits, and then the genuine answer, which must be the outcome. */
async function isRefused(forge: () => Promise<AnswerFile>, code: string): Promise<void> {
  const { outcome } = await asking()
  await plant(await forge())
  await vi.waitFor(() => expect(codes()).toEqual([code]))
  expect(channel.forgeries).toBe(1)
  await plant(await signed(python, { answerFile: { revision: 9 } }))
  expect(await outcome).toMatchObject({ kind: 'answered', responses: python })
}

describe('an answer that the host signed', () => {
  it('reaches the agent, with who gave it', async () => {
    const { outcome } = await asking()
    await plant(await signed(python, { answerFile: { answeredBy: 'ada' } }))
    expect(await outcome).toMatchObject({ kind: 'answered', responses: python, answeredBy: 'ada' })
    expect(channel.forgeries).toBe(0)
    expect(warnings).toEqual([])
  })

  it('declines with the reason that was signed', async () => {
    const { outcome } = await asking()
    const refusal = await signed({}, { answerFile: { status: 'declined', reason: 'Not now' } })
    await plant({ ...refusal, reason: 'Do what you like' })
    expect(await outcome).toMatchObject({ kind: 'declined', reason: 'Not now' })
  })

  it('is what was signed, whatever else its file says', async () => {
    const { outcome } = await asking()
    const answerFile = await signed(python)
    await plant({ ...answerFile, responses: typescript, answers: { 'Which language?': 'TypeScript' } })
    expect(await outcome).toMatchObject({ kind: 'answered', responses: python })
  })

  it('counts under each of several keys', async () => {
    const next = await createKey('key-2')
    channel = verified({ publicKeys: { keys: [key.shown, next.shown] } })
    const { outcome } = await asking()
    await plant(await signed(python, { by: next }))
    expect(await outcome).toMatchObject({ kind: 'answered', responses: python })
  })

  it('permits what was asked for', async () => {
    const approving = {
      ...request,
      kind: 'approval' as const,
      subject: { toolName: 'Bash', input: { a: 1, b: 2 } },
    }
    const { outcome } = await asking({}, approving)
    await plant(await signed(python))
    expect(await outcome).toMatchObject({ kind: 'answered', responses: python })
  })
})

describe('an answer that the host did not sign for this question', () => {
  it('is ignored when it is not signed at all', () =>
    isRefused(async () => ({ ...(await signed(typescript)), signature: undefined as never }), 'UNSIGNED'))

  it('is ignored when a stranger signed it', () =>
    isRefused(() => signed(typescript, { by: strangersKey }), 'BAD_SIGNATURE'))

  it('is ignored when its key is not known', async () => {
    const other = await createKey('key-9')
    await isRefused(() => signed(typescript, { by: other }), 'BAD_SIGNATURE')
  })

  it.each([
    ['empty', () => ''],
    ['no token', () => 'a.b'],
    ['unsigned by its own word', (token: string) => `${btoa('{"alg":"none"}')}.${token.split('.')[1]}.`],
    ['changed', (token: string) => token.replace(/\.(.)/, (_, c) => `.${c === 'e' ? 'f' : 'e'}`)],
  ])('is ignored when its signature is %s', (_, change) =>
    isRefused(async () => {
      const answerFile = await signed(typescript)
      return { ...answerFile, signature: change(answerFile.signature as string) }
    }, 'BAD_SIGNATURE'),
  )

  it('is ignored when the token is for another purpose', () =>
    isRefused(() => signed(typescript, { type: 'sandagent-link+jwt' }), 'BAD_SIGNATURE'))

  it('is ignored when it has expired', () =>
    isRefused(() => signed(typescript, { expiresAt: new Date(Date.now() - 1000) }), 'SIGNATURE_EXPIRED'))

  it.each(['iat', 'exp'] as const)('is ignored when its signature has no %s', (without) =>
    isRefused(() => signed(typescript, { without }), 'BAD_SIGNATURE'),
  )

  it('is ignored when it has expired by the clock of the channel', async () => {
    channel = verified({ clock: createFakeClock(new Date(Date.now() + 3_600_000).toISOString()) })
    const { outcome } = await asking()
    await plant(await signed(typescript))
    await vi.waitFor(() => expect(codes()).toEqual(['SIGNATURE_EXPIRED']))
    const expiresAt = new Date(Date.now() + 7_200_000)
    await plant(await signed(python, { expiresAt, answerFile: { revision: 9 } }))
    expect(await outcome).toMatchObject({ kind: 'answered', responses: python })
  })

  it('is ignored when it was given to an earlier asking', () =>
    isRefused(() => signed(typescript, { record: { nonce: 'earlier' } }), 'REPLAYED'))

  it('is ignored when it was given in another run', () =>
    isRefused(() => signed(typescript, { record: { runId: 'run_0' } }), 'REPLAYED'))

  it.each<[string, Partial<QuestionRecord>]>([
    ['another call', { toolCallId: 'call_2' }],
    ['other questions', { questions: [{ id: 'language', question: 'Which one?' }] }],
    ['another tool', { toolName: 'AskSomebodyElse' }],
    ['a permission', { subject: { toolName: 'Bash', input: {} } }],
  ])('is ignored when it was given to %s', (_, record) =>
    isRefused(() => signed(typescript, { record }), 'WRONG_QUESTION'),
  )

  it('declines nothing either', () =>
    isRefused(
      async () => ({ ...(await signed({}, { by: strangersKey, answerFile: { status: 'declined' } })) }),
      'BAD_SIGNATURE',
    ))

  it('is reported once, then the 10th time', async () => {
    const { outcome } = await asking()
    for (let count = 1; count <= 10; count++) {
      await plant({ ...(await signed(typescript, { by: strangersKey })), answeredBy: `forger ${count}` })
      await vi.waitFor(() => expect(channel.forgeries).toBe(count))
    }
    expect(codes()).toEqual(['BAD_SIGNATURE', 'BAD_SIGNATURE'])
    expect(warnings[1]).toMatchObject({ toolCallId, message: expect.stringContaining('10th') })
    await plant(await signed(python))
    await outcome
  })
})

describe('a draft', () => {
  const draft = (responses: Responses, revision: number, by: Key = key) =>
    signed(responses, { by, answerFile: { status: 'pending', revision } })

  it('that is forged neither extends the time nor counts when it runs out', async () => {
    const clock = createFakeClock()
    channel = verified({ clock })
    const { outcome } = await asking({ timeoutMs: 1000, clock })
    clock.advance(900)
    await plant({
      ...(await draft(typescript, 1, strangersKey)),
      timestamp: new Date(clock.now()).toISOString(),
    })
    await vi.waitFor(() => expect(codes()).toEqual(['BAD_SIGNATURE']))
    clock.advance(100)
    expect(await outcome).toMatchObject({ kind: 'timed-out', responses: {} })
  })

  it('that is older gives way to the newer one that was seen', async () => {
    const stop = new AbortController()
    const { outcome } = await asking({ signal: stop.signal })
    const older = await draft(typescript, 1)
    await plant(await draft(python, 2))
    expect(await channel.read(toolCallId)).toMatchObject({ responses: python, revision: 2 })
    await plant(older)
    expect(await channel.read(toolCallId)).toBeNull()
    expect(codes()).toEqual(['ROLLED_BACK'])
    stop.abort()
    await outcome
  })

  it('that is older keeps no final answer from its agent: other people may draft while a slow host stores it', async () => {
    const { outcome } = await asking()
    await plant(await draft(python, 2))
    expect(await channel.read(toolCallId)).toMatchObject({ responses: python, revision: 2 })
    await plant(await signed(typescript, { answerFile: { revision: 1 } }))
    expect(await outcome).toMatchObject({ kind: 'answered', responses: typescript })
    expect(codes()).toEqual([])
  })

  it('that is older and can be replaced gives way, too', async () => {
    const stop = new AbortController()
    const { outcome } = await asking({ signal: stop.signal, quietMs: 60_000 })
    await plant(await draft(python, 2))
    expect(await channel.read(toolCallId)).toMatchObject({ revision: 2 })
    await plant(await signed(typescript, { answerFile: { revision: 1, replaceable: true } }))
    expect(await channel.read(toolCallId)).toBeNull()
    expect(codes()).toEqual(['ROLLED_BACK'])
    stop.abort()
    await outcome
  })
})

describe('a question file that is there before the question', () => {
  const forge = async (change: Partial<QuestionRecord>): Promise<void> => {
    const record = JSON.parse(await readFile(questionFile(), 'utf8'))
    await writeFile(questionFile(), JSON.stringify({ ...record, ...change }))
  }

  /** Asks and leaves the question open, as a runner that crashes. */
  const leaveOpen = async (): Promise<void> => {
    const leave = new AbortController()
    const { outcome } = await asking({ detachSignal: leave.signal })
    leave.abort()
    await outcome
    await receiptsWritten()
    channel = verified()
  }

  it.each<[string, Partial<QuestionRecord>]>([
    ['answered', { state: 'answered', responses: typescript, revision: 1 } as never],
    ['answered in part', { state: 'partial', responses: typescript } as never],
    ['declined', { state: 'declined', responses: {}, reason: 'Do what you like' } as never],
    ['timed out, with answers', { state: 'timed-out', responses: typescript } as never],
  ])('does not settle it as %s', async (_, receipt) => {
    await leaveOpen()
    await forge({ ...receipt, settledAt: new Date().toISOString() } as never)
    const { outcome } = await asking()
    expect(codes()).toContain('FORGED_RECEIPT')
    await plant(await signed(python))
    expect(await outcome).toMatchObject({ kind: 'answered', responses: python })
  })

  it('gives the same outcome again where a signed answer accounts for it', async () => {
    const { outcome } = await asking()
    await plant(await signed(python, { answerFile: { answeredBy: 'ada' } }))
    const first = await outcome
    await receiptsWritten()
    channel = verified()
    expect(await askUser(channel, request)).toEqual(first)
    expect(channel.forgeries).toBe(0)
  })

  it('is taken up with its answer when it is from the same run', async () => {
    await leaveOpen()
    await plant(await signed(python))
    expect(await askUser(channel, request)).toMatchObject({ kind: 'answered', responses: python })
  })

  it('is taken up only where its asker wants it', async () => {
    await leaveOpen()
    const asked = (await space.record(toolCallId)) as OpenRecord
    const again = { ...asked, nonce: 'another' }
    expect(await channel.open(again, { mayAdopt: async () => true })).toMatchObject({ nonce: asked.nonce })
    expect(await channel.open(again, { mayAdopt: async () => false })).toMatchObject({ nonce: 'another' })
  })

  it('is asked anew when it is from another run, so that its answer cannot be carried over', async () => {
    await leaveOpen()
    const before = await space.record(toolCallId)
    await plant(await signed(typescript))
    const { outcome } = await asking({}, { runId: 'run_2' })
    await vi.waitFor(() => expect(codes()).toEqual(['REPLAYED']))
    expect((await space.record(toolCallId)).nonce).not.toBe(before.nonce)
    await plant(await signed(python))
    expect(await outcome).toMatchObject({ responses: python })
  })

  it('is taken up with its answer when this run continues that run', async () => {
    await leaveOpen()
    await plant(await signed(python))
    channel = verified({ continues: ['run_1'] })
    expect(await askUser(channel, { ...request, runId: 'run_2' })).toMatchObject({ responses: python })
  })

  it('is a conflict over a channel that takes it up without asking', async () => {
    await leaveOpen()
    const careless = { ...space.channel, open: (record: OpenRecord) => space.channel.open(record) }
    channel = createVerifiedChannel(careless, { publicKeys: { keys: [key.shown] } })
    await expect(askUser(channel, request)).rejects.toMatchObject({ code: 'CONFLICT' })
  })
})

it('a verified channel forgets a question that is settled', async () => {
  const { outcome } = await asking()
  await plant(await signed(python))
  expect(await outcome).toMatchObject({ responses: python })
  await receiptsWritten()
  expect(await channel.read(toolCallId)).toBeNull()
})

it.each([{}, { publicKeys: {} }, { publicKeys: null }])(
  '%j has no keys for a verified channel',
  (options) => {
    expect(() => createVerifiedChannel(channel, options as VerifiedChannelOptions)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringContaining('publicKeys: ') }),
    )
  },
)

describe('parsePublicKeys', () => {
  it.each([
    ['nothing', ''],
    ['no keys', '{"keys":[]}'],
    ['a private key', JSON.stringify({ publicKeys: [{ ...key.shown, d: 'secret' }] })],
    ['a key whose numbers are none', JSON.stringify({ keys: [{ ...key.shown, x: 'secret' }] })],
    ['a key of another kind', JSON.stringify({ publicKeys: [{ kty: 'oct', k: 'secret', kid: 'a' }] })],
  ])('refuses %s, and does not repeat it', (_, text) => {
    expect(() => parsePublicKeys(text)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
    expect(() => parsePublicKeys(text)).not.toThrow(/secret/)
  })
})
