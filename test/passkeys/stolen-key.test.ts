import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ANSWER_TOKEN_TYPE,
  type AnswerFile,
  type ApprovalSubject,
  answerClaims,
  approvalIn,
  approvalQuestion,
  type ChannelWarning,
  decisionOn,
  ignoredText,
  type Outcome,
  type PasskeyProof,
  type PolicyRule,
  type QuestionRecord,
  type QuestionState,
  type QuestionView,
  type Responses,
  signedDigest,
  systemClock,
  type Vote,
  viewOf,
} from '@sandagent/core/internal'
import { createSoftPasskey, PASSKEY_SITE, type ProofChanges } from '@sandagent/fixtures/soft-passkey.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { openPasskeys, type Passkeys } from '@sandagent/passkeys'
import {
  askUser,
  createFileRunnerChannel,
  createVerifiedChannel,
  receiptsWritten,
  type VerifiedChannel,
} from '@sandagent/runner'
import { createSigningKey, LocalSandbox, listQuestions, parseSigningKeys, submitAnswer } from '@sandagent/sdk'
import { channelOf } from '@sandagent/sdk/internal'
import { beforeEach, describe, expect, it, vi } from 'vitest'

const TOOL = 'call_1'
const subject: ApprovalSubject = { toolName: 'Bash', input: { command: 'rm -rf /data' }, editable: true }
const allowed: Responses = { permission: { selected: ['allow-once'], source: 'human' } }
const denied: Responses = { permission: { selected: ['deny'], source: 'human' } }

const POLICY: PolicyRule[] = [{ for: { tools: ['Bash'] }, passkey: true }, {}]

// The thief has these, and so has the host.
const hostKeys = await parseSigningKeys(await createSigningKey())

let sandbox: LocalSandbox
let passkeys: Passkeys
let warnings: ChannelWarning[]
let ada: ReturnType<typeof createSoftPasskey>
let bob: ReturnType<typeof createSoftPasskey>

async function register(person: string) {
  const key = createSoftPasskey(person)
  const code = await passkeys.newCode(person)
  const { challenge } = await passkeys.begin(person)
  await passkeys.register(person, { challenge, code, name: '', response: key.register(challenge) })
  return key
}

beforeEach(async () => {
  sandbox = new LocalSandbox({ workdir: await tempDir() })
  passkeys = openPasskeys({ ...PASSKEY_SITE, folder: join(await tempDir(), 'passkeys') })
  ada = await register('Ada')
  bob = await register('Bob')
  warnings = []
})

interface Asked {
  channel: VerifiedChannel
  outcome: Promise<Outcome>
  record: QuestionRecord
}

/** Asks for a permission, in a run that was started with the passkeys. */
async function asking({
  policy = POLICY,
  toolCallId = TOOL,
  runId = 'run_1',
  of = subject,
}: {
  policy?: PolicyRule[]
  toolCallId?: string
  runId?: string
  of?: ApprovalSubject
} = {}): Promise<Asked> {
  const channel = createVerifiedChannel(createFileRunnerChannel({ workdir: sandbox.workdir }), {
    publicKeys: hostKeys.publicKeys,
    passkeys: await passkeys.forRun(policy),
    onWarning: (warning) => warnings.push(warning),
  })
  return new Promise((resolve, reject) => {
    const outcome: Promise<Outcome> = askUser(
      channel,
      { toolCallId, kind: 'approval', questions: [approvalQuestion(of.toolName)], subject: of, runId },
      { onAsked: (record) => resolve({ channel, outcome, record }) },
    )
    outcome.catch(reject)
  })
}

const proofOf = (
  key: typeof ada,
  record: QuestionRecord,
  responses = allowed,
  changes?: ProofChanges,
): PasskeyProof => key.sign(signedDigest(decisionOn(record, responses)), changes)

const vote = (answeredBy: string, passkey?: PasskeyProof): Vote => ({
  answeredBy,
  timestamp: new Date().toISOString(),
  revision: 1,
  ...(passkey && { passkey }),
})

/** Writes what the thief has signed, in the place of the host. */
async function plant(record: QuestionRecord, changes: Partial<AnswerFile>): Promise<void> {
  const { toolCallId, nonce, questions } = record
  const answerFile: AnswerFile = {
    ...{ questions, answers: {}, status: 'completed', timestamp: new Date().toISOString(), version: 1 },
    ...{ toolCallId, nonce, revision: 1, responses: allowed, answeredBy: 'Ada', rule: {} },
    ...changes,
  }
  const facts = { type: ANSWER_TOKEN_TYPE, clock: systemClock, lifetimeMs: 60_000 }
  const signature = await hostKeys.sign(answerClaims(answerFile, record), facts)
  const path = join(sandbox.workdir, '.sandagent/approvals', `${toolCallId}.json`)
  await writeFile(path, JSON.stringify({ ...answerFile, signature }))
}

/** What the thief plants is ignored, with a warning. Then the question still waits, and a denial ends it. */
async function isRefused(
  { outcome, record }: Asked,
  changes: Partial<AnswerFile>,
  why: RegExp,
): Promise<void> {
  await plant(record, changes)
  // The answer to an earlier run may be there still, and is ignored for another reason.
  const needed = () => warnings.filter(({ code }) => code === 'PASSKEY_NEEDED')
  await vi.waitFor(() => expect(needed()).toHaveLength(1))
  expect(needed()[0]?.message).toMatch(why)
  await plant(record, { responses: denied, revision: 9 })
  expect(approvalIn(await outcome).decision).toBe('deny')
  await receiptsWritten()
}

describe('whoever has the key of the host, and no passkey,', () => {
  it('can deny', async () => {
    const { outcome, record } = await asking()
    await plant(record, { responses: denied })
    expect(approvalIn(await outcome).decision).toBe('deny')
    expect(warnings).toEqual([])
    await receiptsWritten()
  })

  it.each([
    ['without votes', {}, /nobody has signed/],
    ['with a vote and no proof', { votes: [vote('Ada')] }, /no passkey of Ada/],
    [
      'for the session',
      { responses: { permission: { selected: ['allow-session'], source: 'human' } } },
      /Allow once/,
    ],
    [
      'in words',
      { responses: { permission: { selected: ['deny'], freeText: 'allow-once', source: 'human' } } },
      /Allow once/,
    ],
  ] as [string, Partial<AnswerFile>, RegExp][])('cannot allow a call %s', async (_, changes, why) => {
    await isRefused(await asking(), changes, why)
  })

  it('cannot leave a draft that allows when the time runs out', async () => {
    await isRefused(await asking(), { status: 'pending' }, /nobody has signed/)
  })

  it('can still allow what needs no passkey', async () => {
    const { outcome, record } = await asking({ of: { ...subject, toolName: 'Read' } })
    await plant(record, {})
    expect(approvalIn(await outcome).decision).toBe('allowOnce')
    expect(record.passkeys).toBeUndefined()
    await receiptsWritten()
  })
})

describe('where somebody allowed a call without a passkey, the host', () => {
  const look = async (): Promise<QuestionView | undefined> =>
    (await listQuestions(sandbox, { signingKeys: hostKeys }))[0]

  it.each([
    ['nobody signed', async () => ({})],
    ['a name stands alone', async () => ({ votes: [vote('Ada')] })],
    [
      'a proof names a passkey that the run knows, and is none',
      async (record: QuestionRecord) => ({
        votes: [vote('Ada', { ...proofOf(bob, record), id: ada.id })],
      }),
    ],
    [
      'a proof is for other words',
      async (record: QuestionRecord) => ({ votes: [vote('Ada', proofOf(ada, record, denied))] }),
    ],
    [
      'a proof of one person has the name of another',
      async (record: QuestionRecord) => ({ votes: [vote('Ada', proofOf(bob, record))] }),
    ],
  ] as [string, (record: QuestionRecord) => Promise<Partial<AnswerFile>>][])(
    'shows that the question waits, and takes the genuine answer: %s',
    async (_, forged) => {
      const { outcome, record } = await asking()
      const channel = channelOf(sandbox, { signingKeys: hostKeys, passkeys })
      const stop = new AbortController()
      const seen: QuestionState[] = []
      const following = (async () => {
        for await (const state of channel.subscribe(stop.signal, TOOL)) seen.push(state)
      })()
      await vi.waitFor(() => expect(seen).toHaveLength(1))
      await plant(record, await forged(record))
      await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ ignored: true }))
      expect(seen.at(-1)?.answerFile).toBeUndefined()
      stop.abort()
      await following
      const state = await channel.read(TOOL)
      const view = viewOf(state, Date.now(), { answeredBy: 'Ada' })
      expect(view).toMatchObject({ state: 'open', ignored: true, responses: {} })
      expect(ignoredText(view)).toMatch(/no passkey has signed.*replace it/)
      await submitAnswer(
        sandbox,
        { toolCallId: TOOL, status: 'completed', responses: allowed, passkey: proofOf(ada, record) },
        { answeredBy: 'Ada', passkeys, policy: POLICY, signingKeys: hostKeys },
      )
      expect(approvalIn(await outcome).decision).toBe('allowOnce')
      await receiptsWritten()
      expect(await look()).toBeUndefined()
    },
  )

  it('without passkeys of its own says so too, and takes a denial', async () => {
    const { outcome, record } = await asking()
    await plant(record, { votes: [vote('Ada')] })
    expect(await look()).toMatchObject({ state: 'open', ignored: true })
    await submitAnswer(
      sandbox,
      { toolCallId: TOOL, status: 'completed', responses: denied },
      { signingKeys: hostKeys },
    )
    expect(approvalIn(await outcome).decision).toBe('deny')
    await receiptsWritten()
  })

  it('does not dispute the genuine denial beside an allow that was stored while the record demanded no passkey', async () => {
    const { outcome, record } = await asking()
    const path = join(sandbox.workdir, '.sandagent/questions', `${TOOL}.json`)
    const asked = await readFile(path, 'utf8')
    const { passkeys: _, ...stripped } = JSON.parse(asked)
    const give = (responses: Responses) =>
      submitAnswer(sandbox, { toolCallId: TOOL, status: 'completed', responses }, { signingKeys: hostKeys })
    await writeFile(path, JSON.stringify(stripped))
    expect(await give(allowed)).toMatchObject({ status: 'completed' })
    await vi.waitFor(() => expect(warnings).toMatchObject([{ code: 'PASSKEY_NEEDED' }]))
    await writeFile(path, asked)
    expect(await look()).toMatchObject({ state: 'open', ignored: true })
    await give(denied)
    expect(approvalIn(await outcome).decision).toBe('deny')
    await receiptsWritten()
    expect(record.passkeys).toBeDefined()
    const disputes: unknown[] = []
    for (const own of [passkeys, undefined]) {
      const onWarning = (warning: unknown) => void disputes.push(warning)
      const channel = channelOf(sandbox, { signingKeys: hostKeys, passkeys: own, onWarning })
      const view = viewOf(await channel.read(TOOL), Date.now(), { answeredBy: 'Ada' })
      expect(view).toMatchObject({ state: 'answered', responses: denied })
      expect(view).not.toHaveProperty('disputed')
    }
    expect(disputes).toEqual([])
  })

  it('counts what a passkey signed that was removed since, as the run does', async () => {
    const { outcome, record } = await asking()
    await passkeys.remove(ada.id)
    await plant(record, { votes: [vote('Ada', proofOf(ada, record))] })
    expect((await channelOf(sandbox, { signingKeys: hostKeys, passkeys }).read(TOOL)).ignored).toBeUndefined()
    expect(approvalIn(await outcome).decision).toBe('allowOnce')
    await receiptsWritten()
  })
})

describe('a proof that does not count', () => {
  it.each([
    ['of another origin', { origin: 'https://evil.example' }, /a page of another address/],
    ['of another domain', { rpId: 'evil.example' }, /belongs to another site/],
    ['without a verified person', { flags: 0x01 }, /did not check who used it/],
    ['without a person', { flags: 0x00 }, /nobody was at the device/],
    ['asked for by a page in a frame', { crossOrigin: true }, /another site/],
    [
      'asked for below another site',
      { crossOrigin: true, topOrigin: 'https://evil.example' },
      /another site/,
    ],
    ['of a registration', { type: 'webauthn.create' }, /used for something else/],
  ] as [string, ProofChanges, RegExp][])('is one %s', async (_, changes, why) => {
    const asked = await asking()
    await isRefused(asked, { votes: [vote('Ada', proofOf(ada, asked.record, allowed, changes))] }, why)
  })

  it('is one for another question', async () => {
    const other = await asking({ toolCallId: 'call_2' })
    const proof = proofOf(ada, other.record)
    await isRefused(await asking(), { votes: [vote('Ada', proof)] }, /signed something else/)
    await plant(other.record, { responses: denied })
    await other.outcome
    await receiptsWritten()
  })

  it('is one for the same call of another run', async () => {
    const earlier = await asking({ runId: 'run_0' })
    const proof = proofOf(ada, earlier.record)
    await plant(earlier.record, { responses: denied })
    await earlier.outcome
    await receiptsWritten()
    await isRefused(await asking(), { votes: [vote('Ada', proof)] }, /signed something else/)
  })

  it('is one for another answer, another note or another input', async () => {
    const asked = await asking()
    const votes = [vote('Ada', proofOf(ada, asked.record))]
    const edited: Responses = {
      permission: { selected: ['allow-once'], input: { command: 'rm -rf /' }, source: 'human' },
    }
    const noted: Responses = {
      permission: { selected: ['allow-once'], notes: 'and all else', source: 'human' },
    }
    for (const [index, responses] of [edited, noted].entries()) {
      await plant(asked.record, { votes, responses, revision: index + 1 })
      await vi.waitFor(() => expect(asked.channel.forgeries).toBe(index + 1))
    }
    // What was signed is not what the votes of the file say.
    const votesWith = votes.map((each) => ({ ...each, responses: allowed }))
    await isRefused(asked, { votes: votesWith, responses: edited, revision: 3 }, /signed something else/)
  })

  it('is one of a stranger, of another person, or of a passkey that was removed before the run', async () => {
    await passkeys.remove(ada.id)
    const asked = await asking()
    for (const [index, key] of [createSoftPasskey('Ada'), bob, ada].entries()) {
      await plant(asked.record, { votes: [vote('Ada', proofOf(key, asked.record))], revision: index + 1 })
      await vi.waitFor(() => expect(asked.channel.forgeries).toBe(index + 1))
    }
    await isRefused(
      asked,
      { votes: [vote('Ada', proofOf(ada, asked.record))], revision: 4 },
      /no passkey of Ada/,
    )
  })

  it('is one whose signature was changed', async () => {
    const asked = await asking()
    const proof = proofOf(ada, asked.record)
    const { authenticatorData } = proofOf(ada, asked.record, allowed, { counter: 7 })
    await isRefused(asked, { votes: [vote('Ada', { ...proof, authenticatorData })] }, /signature/)
  })
})

describe('where two people must sign', () => {
  const policy: PolicyRule[] = [{ for: { tools: ['Bash'] }, passkey: true, votes: 2 }, {}]

  it('one of them is not enough, however often they sign', async () => {
    const asked = await asking({ policy })
    const [first, second] = [proofOf(ada, asked.record), proofOf(ada, asked.record)]
    await isRefused(asked, { votes: [vote('Ada', first), vote(' ADA', second)] }, /1 more person/)
  })

  it('both allow it, each with a note of their own', async () => {
    const { outcome, record } = await asking({ policy })
    const say = (notes: string): Responses => ({
      permission: { selected: ['allow-once'], notes, source: 'human' },
    })
    const send = (key: typeof ada, notes: string) => {
      const request = { toolCallId: TOOL, status: 'completed' as const, responses: say(notes) }
      const options = { answeredBy: key.person, policy, passkeys, signingKeys: hostKeys }
      return submitAnswer(sandbox, { ...request, passkey: proofOf(key, record, say(notes)) }, options)
    }
    expect(await send(ada, 'be quick')).toMatchObject({ status: 'pending', missingVotes: 1 })
    expect(await send(bob, 'be careful')).toMatchObject({ status: 'completed' })
    expect(approvalIn(await outcome)).toMatchObject({ decision: 'allowOnce', note: 'be quick\nbe careful' })
    expect(warnings).toEqual([])
    await receiptsWritten()
  })
})

it('only those whom a rule names may sign', async () => {
  const policy: PolicyRule[] = [{ for: { tools: ['Bash'] }, passkey: true, people: ['ada'] }, {}]
  const asked = await asking({ policy })
  expect(asked.record.passkeys).toEqual({ ids: [ada.id], votes: 1 })
  const proof = proofOf(bob, asked.record)
  await isRefused(asked, { answeredBy: 'Bob', votes: [vote('Bob', proof)] }, /no passkey of Bob/)
})

describe('the host', () => {
  const send = (record: QuestionRecord, changes: { passkey?: PasskeyProof; responses?: Responses } = {}) =>
    submitAnswer(
      sandbox,
      { toolCallId: record.toolCallId, status: 'completed', responses: allowed, ...changes },
      { answeredBy: 'Ada', policy: POLICY, passkeys, signingKeys: hostKeys },
    )

  it('tells the person at once what is wrong, stores nothing, and then takes what is right', async () => {
    const { outcome, record } = await asking()
    await expect(send(record)).rejects.toMatchObject({ code: 'PASSKEY_NEEDED' })
    const foreign = proofOf(bob, record)
    await expect(send(record, { passkey: foreign })).rejects.toThrow(/not registered for you/)
    const unverified = proofOf(ada, record, allowed, { flags: 1 })
    await expect(send(record, { passkey: unverified })).rejects.toThrow(/did not check who used it/)
    const state = await channelOf(sandbox, { signingKeys: hostKeys }).read(TOOL)
    expect(state.answerFile).toBeUndefined()
    const stored = await send(record, { passkey: proofOf(ada, record) })
    expect(stored.passkey).toMatchObject({ id: ada.id, counter: 1, isBackedUp: false })
    expect(approvalIn(await outcome).decision).toBe('allowOnce')
    expect(warnings).toEqual([])
    await receiptsWritten()
  })

  it('takes an edited call as it was signed', async () => {
    const { outcome, record } = await asking()
    const responses: Responses = {
      permission: { selected: ['allow-once'], input: { command: 'ls /data' }, source: 'human' },
    }
    await expect(send(record, { responses, passkey: proofOf(ada, record) })).rejects.toThrow(
      /signed something else/,
    )
    await send(record, { responses, passkey: proofOf(ada, record, responses) })
    expect(approvalIn(await outcome).input).toEqual({ command: 'ls /data' })
    await receiptsWritten()
  })

  it('says that a run does not know a passkey yet, and that a removed one counts no more', async () => {
    const { outcome, record } = await asking()
    const newer = await register('Ada')
    await expect(send(record, { passkey: proofOf(newer, record) })).rejects.toThrow(/start the run again/)
    await passkeys.remove(ada.id)
    await expect(send(record, { passkey: proofOf(ada, record) })).rejects.toThrow(/not registered for you/)
    await send(record, { responses: denied })
    expect(approvalIn(await outcome).decision).toBe('deny')
    await receiptsWritten()
  })

  it('without a policy and without passkeys demands what the run demands', async () => {
    const { outcome, record } = await asking()
    const options = { signingKeys: hostKeys }
    const request = { toolCallId: TOOL, status: 'completed' as const }
    await expect(submitAnswer(sandbox, { ...request, responses: allowed }, options)).rejects.toMatchObject({
      code: 'PASSKEY_NEEDED',
    })
    await submitAnswer(sandbox, { ...request, responses: denied }, options)
    expect(approvalIn(await outcome).decision).toBe('deny')
    expect(record.passkeys?.votes).toBe(1)
    await receiptsWritten()
  })
})
