import { writeFile } from 'node:fs/promises'
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
  type Outcome,
  type PasskeyProof,
  type PolicyRule,
  type QuestionRecord,
  type Responses,
  type RunPasskeys,
  signedDigest,
  systemClock,
  type Vote,
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
import { createSigningKey, LocalSandbox, parseSigningKeys } from '@sandagent/sdk'
import { beforeEach, expect, vi } from 'vitest'

export const TOOL = 'call_1'
export const subject: ApprovalSubject = {
  toolName: 'Bash',
  input: { command: 'rm -rf /data' },
  editable: true,
}
export const allowed: Responses = { permission: { selected: ['allow-once'], source: 'human' } }
export const denied: Responses = { permission: { selected: ['deny'], source: 'human' } }

export const POLICY: PolicyRule[] = [{ for: { tools: ['Bash'] }, passkey: true }, {}]

/** The thief has these, and so has the host. */
export const hostKeys = await parseSigningKeys(await createSigningKey())

type SoftPasskey = ReturnType<typeof createSoftPasskey>

/** A question that waits, in a run that was started with the passkeys. */
export interface Asked {
  channel: VerifiedChannel
  outcome: Promise<Outcome>
  record: QuestionRecord
}

export const proofOf = (
  key: Pick<SoftPasskey, 'sign'>,
  record: QuestionRecord,
  responses = allowed,
  changes?: ProofChanges,
): PasskeyProof => key.sign(signedDigest(decisionOn(record, responses)), changes)

export const vote = (answeredBy: string, passkey?: PasskeyProof): Vote => ({
  answeredBy,
  timestamp: new Date().toISOString(),
  revision: 1,
  ...(passkey && { passkey }),
})

/** What is there for each test of a file: a sandbox, and the passkeys of Ada and Bob. */
interface Place {
  sandbox: LocalSandbox
  /** Where the passkeys are kept. */
  folder: string
  passkeys: Passkeys
  /** What the runner warns about. */
  warnings: ChannelWarning[]
  ada: SoftPasskey
  bob: SoftPasskey
}

/** Calls that need a passkey, and a thief who has the key of the host. Call it once in a file. */
export function signedCalls() {
  const at = {} as Place

  beforeEach(async () => {
    at.sandbox = new LocalSandbox({ workdir: await tempDir() })
    at.folder = join(await tempDir(), 'passkeys')
    at.passkeys = openPasskeys({ ...PASSKEY_SITE, folder: at.folder })
    at.ada = await register('Ada')
    at.bob = await register('Bob')
    at.warnings = []
  })

  async function register(person: string): Promise<SoftPasskey> {
    const key = createSoftPasskey(person)
    const code = await at.passkeys.newCode(person)
    const { challenge } = await at.passkeys.begin(person)
    await at.passkeys.register(person, { challenge, code, name: '', response: key.register(challenge) })
    return key
  }

  /** Asks for a permission, in a run that was started with the passkeys. */
  async function asking({
    policy = POLICY,
    toolCallId = TOOL,
    runId = 'run_1',
    of = subject,
    continues = [],
    detachSignal,
    sessionScope,
    demand,
  }: {
    policy?: PolicyRule[]
    toolCallId?: string
    runId?: string
    of?: ApprovalSubject
    continues?: string[]
    detachSignal?: AbortSignal
    sessionScope?: string
    /** What the run is started with. Default: the passkeys of the host, for its policy. */
    demand?: RunPasskeys | null
  } = {}): Promise<Asked> {
    const onWarning = (warning: ChannelWarning) => void at.warnings.push(warning)
    const channel = createVerifiedChannel(createFileRunnerChannel({ workdir: at.sandbox.workdir }), {
      publicKeys: hostKeys.publicKeys,
      passkeys: demand === undefined ? await at.passkeys.forRun(policy) : (demand ?? undefined),
      continues,
      onWarning,
    })
    return new Promise((resolve, reject) => {
      const outcome: Promise<Outcome> = askUser(
        channel,
        {
          toolCallId,
          kind: 'approval',
          questions: [approvalQuestion(of.toolName, { sessionScope })],
          subject: of,
          runId,
        },
        { detachSignal, onWarning, onAsked: (record) => resolve({ channel, outcome, record }) },
      )
      outcome.catch(reject)
    })
  }

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
    const path = join(at.sandbox.workdir, '.sandagent/approvals', `${toolCallId}.json`)
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
    const needed = () => at.warnings.filter(({ code }) => code === 'PASSKEY_NEEDED')
    await vi.waitFor(() => expect(needed()).toHaveLength(1))
    expect(needed()[0]?.message).toMatch(why)
    await plant(record, { responses: denied, revision: 9 })
    expect(approvalIn(await outcome).decision).toBe('deny')
    await receiptsWritten()
  }

  return { at, register, asking, plant, isRefused }
}
