import {
  ANSWER_TOKEN_TYPE,
  type AnswerFile,
  AskError,
  answerClaims,
  type BoundAnswerFile,
} from '@sandagent/core/internal'
import { ANSWER, recordOf } from '@sandagent/fixtures/records/sample-records.ts'
import { createFakeClock } from '@sandagent/testing'
import { errors } from 'jose'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { attemptPaths } from '../../src/run-records/run-paths.ts'
import { authenticatorOf } from '../../src/signing/answer-signatures.ts'
import { createSigningKey, parseSigningKeys, type SigningKeys } from '../../src/signing/signing-keys.ts'
import { tempSandbox } from '../support/temp-sandbox.ts'

const clock = createFakeClock()
const RECORD = recordOf('q')
const key = await createSigningKey()
const own = await parseSigningKeys(key)
const ownId = JSON.parse(key).kid

const authenticated = (
  signingKeys: SigningKeys | null | undefined,
  answer: AnswerFile,
  runKeys?: string[],
) => {
  const keysOfRun = async (runId: string) => (runId === 'run-1' ? runKeys : undefined)
  const sandbox = { files: {}, runs: { keyIds: keysOfRun } }
  return authenticatorOf(sandbox as never, { signingKeys, clock })(answer, RECORD)
}
const signedAs = async (claims: object, type = 'sandagent-answer+jwt'): Promise<AnswerFile> => ({
  ...ANSWER,
  signature: await own.sign(claims, { type, clock, lifetimeMs: 60_000 }),
})
const CLAIMS = answerClaims(ANSWER, RECORD)

describe('an answer file without a good signature', () => {
  it.each<[string, () => AnswerFile | Promise<AnswerFile>]>([
    ['with none', () => ANSWER],
    ['with a text', () => ({ ...ANSWER, signature: 'x' })],
    ['for another purpose', () => signedAs(CLAIMS, 'x')],
    ['with claims of something else', () => signedAs({ a: 1 })],
    ['for another question', () => signedAs({ ...CLAIMS, nonce: 'other' })],
  ])('counts unless the run was given keys of this host: one %s', async (_, make) => {
    const answer = await make()
    expect(await authenticated(own, answer, ['other', ownId])).toBeNull()
    for (const runKeys of [undefined, [], ['other']])
      expect(await authenticated(own, answer, runKeys)).toBe(answer)
    expect(await authenticated(null, answer, [ownId])).toBe(answer)
  })

  it('does not count by the keys of this machine, if no others are given', async () => {
    vi.stubEnv('SANDAGENT_SIGNING_KEY', key)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await authenticated(undefined, ANSWER, [ownId])).toBeNull()
  })

  it('counts if neither the host nor the run names a key', async () => {
    const nameless = { ...own, publicKeys: { keys: [{ kty: 'OKP' }] } }
    expect(await authenticated(nameless, ANSWER, [undefined as never])).toBe(ANSWER)
  })
})

it('a signed answer counts as it was signed, whatever its file says, for every run', async () => {
  const { signature, ...file } = await signedAs({ ...CLAIMS, answeredBy: 'ada', runId: 'earlier' })
  const answer = { ...file, answeredBy: 'mallory', signature } as AnswerFile
  expect(await authenticated(own, answer, [ownId])).toMatchObject({ answeredBy: 'ada', signature })
})

it('a failure of the keys is no fault of a signature', async () => {
  const failure = new TypeError('no luck')
  const failing = { ...own, verify: () => Promise.reject(failure) }
  await expect(authenticated(failing, { ...ANSWER, signature: 's' })).rejects.toBe(failure)
  for (const error of [new errors.JWSInvalid('no'), new AskError('INVALID_FILE', 'no')]) {
    const refusing = { ...own, verify: () => Promise.reject(error) }
    expect(await authenticated(refusing, { ...ANSWER, signature: 's' }, [ownId])).toBeNull()
  }
})

describe('a signature that was verified', () => {
  /** Keys that take every signature, and count how often each one is verified. */
  function counting() {
    const verify = vi.fn(async (_: string) => ({ ...CLAIMS }))
    const keys = { ...own, verify } as unknown as SigningKeys
    return {
      verified: async (signature: string) => {
        verify.mockClear()
        expect(await authenticated(keys, { ...ANSWER, signature })).toMatchObject({ signature })
        return verify.mock.calls.length
      },
    }
  }

  it('is not verified again, unless it is long', async () => {
    const { verified } = counting()
    for (const [length, again] of [
      [4096, 0],
      [4097, 1],
    ] as const) {
      expect(await verified('s'.repeat(length))).toBe(1)
      expect(await verified('s'.repeat(length))).toBe(again)
    }
  })

  it('is forgotten once two thousand others were seen since', async () => {
    const { verified } = counting()
    for (let number = 0; number < 2000; number++) await verified(`${number}`)
    expect(await verified('0')).toBe(0)
    await verified('2000')
    expect([await verified('2000'), await verified('0')]).toEqual([0, 1])
  })
})

it('takes no signature for good because it was one by the keys of another host in the same process', async () => {
  const sandbox = await tempSandbox()
  const [own, other] = [
    await parseSigningKeys(await createSigningKey()),
    await parseSigningKeys(await createSigningKey()),
  ]
  const now = new Date().toISOString()
  const run = { version: 1, runId: 'run-1', attempt: 1, agent: 'x', args: [], prompt: '', metadata: {} }
  const publicKeyIds = own.publicKeys.keys.map(({ kid }) => kid)
  const runRecord = { ...run, startedAt: now, process: 'none', maxLogBytes: 1, publicKeyIds }
  await sandbox.files.writeAtomic(attemptPaths(sandbox, 'run-1', 1).record, JSON.stringify(runRecord))
  const record = {
    version: 1,
    toolCallId: 'call',
    toolName: 'AskUserQuestion',
    kind: 'question',
    questions: [{ id: 'q1', question: 'Which?' }],
    askedAt: now,
    timeoutMs: 'never',
    deadline: null,
    nonce: 'nonce',
    runId: 'run-1',
    state: 'open',
  } as const
  const answer: BoundAnswerFile = {
    version: 1,
    toolCallId: 'call',
    nonce: 'nonce',
    questions: [...record.questions],
    answers: {},
    status: 'completed',
    timestamp: now,
    revision: 1,
    responses: {},
  }
  const question = { ...record, questions: [...record.questions] }
  const claims = answerClaims(answer, question)
  const facts = { type: ANSWER_TOKEN_TYPE, clock: clock, lifetimeMs: 60_000 }
  const signed = { ...answer, signature: await other.sign(claims, facts) }
  const verdictBy = (signingKeys: typeof own) =>
    authenticatorOf(sandbox, { signingKeys, clock: clock })(signed, question)
  expect(await verdictBy(other)).toMatchObject({ toolCallId: 'call', revision: 1 })
  expect(await verdictBy(own)).toBeNull()
})
