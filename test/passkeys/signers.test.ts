import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  approvalIn,
  type PasskeyProof,
  type PolicyRule,
  type QuestionRecord,
  type Responses,
} from '@sandagent/core/internal'
import { PASSKEY_SITE } from '@sandagent/fixtures/soft-passkey.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { receiptsWritten } from '@sandagent/runner'
import { createAnswerHandler, submitAnswer } from '@sandagent/sdk'
import { createAuditLog, verifyAuditLog } from '@sandagent/sdk/audit'
import { channelOf } from '@sandagent/sdk/internal'
import { createFakeClock } from '@sandagent/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { allowed, denied, hostKeys, POLICY, proofOf, signedCalls, TOOL, vote } from './signed-calls.ts'

const { at, register, asking, isRefused } = signedCalls()

describe('where two people must sign', () => {
  const policy: PolicyRule[] = [{ for: { tools: ['Bash'] }, passkey: true, votes: 2 }, {}]

  it('one of them is not enough, however often they sign', async () => {
    const asked = await asking({ policy })
    const [first, second] = [proofOf(at.ada, asked.record), proofOf(at.ada, asked.record)]
    await isRefused(asked, { votes: [vote('Ada', first), vote(' ADA', second)] }, /1 more person/)
  })

  it('both allow it, each with a note of their own', async () => {
    const { outcome, record } = await asking({ policy })
    const say = (notes: string): Responses => ({
      permission: { selected: ['allow-once'], notes, source: 'human' },
    })
    const logged: unknown[] = []
    const onSigned = (use: object) => void logged.push(use)
    const send = (key: typeof at.ada, notes: string, passkey = proofOf(key, record, say(notes))) => {
      const request = { toolCallId: TOOL, status: 'completed' as const, responses: say(notes) }
      const options = { answeredBy: key.person, policy, passkeys: at.passkeys, signingKeys: hostKeys }
      return submitAnswer(at.sandbox, { ...request, passkey }, { ...options, onSigned })
    }
    const first = proofOf(at.ada, record, say('be quick'))
    expect(await send(at.ada, 'be quick', first)).toMatchObject({ status: 'pending', missingVotes: 1 })
    // The reply may have been lost, and what was logged, too.
    const again = await send(at.ada, 'be quick', first)
    expect(again).toMatchObject({ status: 'pending', missingVotes: 1 })
    expect(logged).toMatchObject([first, first])
    expect(await send(at.bob, 'be careful')).toMatchObject({ status: 'completed' })
    expect(approvalIn(await outcome)).toMatchObject({ decision: 'allowOnce', note: 'be quick\nbe careful' })
    expect(at.warnings).toEqual([])
    await receiptsWritten()
  })
})

it('only those whom a rule names may sign', async () => {
  const policy: PolicyRule[] = [{ for: { tools: ['Bash'] }, passkey: true, people: ['ada'] }, {}]
  const asked = await asking({ policy })
  expect(asked.record.passkeys).toEqual({ ...PASSKEY_SITE, ids: [at.ada.id], votes: 1, runId: 'run_1' })
  const proof = proofOf(at.bob, asked.record)
  await isRefused(asked, { answeredBy: 'Bob', votes: [vote('Bob', proof)] }, /no passkey of Bob/)
})

describe('the host', () => {
  const send = (record: QuestionRecord, changes: { passkey?: PasskeyProof; responses?: Responses } = {}) =>
    submitAnswer(
      at.sandbox,
      { toolCallId: record.toolCallId, status: 'completed', responses: allowed, ...changes },
      {
        ...{ answeredBy: 'Ada', policy: POLICY, passkeys: at.passkeys, signingKeys: hostKeys },
        onSigned: (use) => void signed.push(use),
      },
    )
  let signed: object[]
  beforeEach(() => {
    signed = []
  })

  it('tells the person at once what is wrong, stores nothing, and then takes what is right', async () => {
    const { outcome, record } = await asking()
    await expect(send(record)).rejects.toMatchObject({ code: 'PASSKEY_NEEDED' })
    const foreign = proofOf(at.bob, record)
    await expect(send(record, { passkey: foreign })).rejects.toThrow(/not registered for you/)
    const unverified = proofOf(at.ada, record, allowed, { flags: 1 })
    await expect(send(record, { passkey: unverified })).rejects.toThrow(/did not check who used it/)
    const state = await channelOf(at.sandbox, { signingKeys: hostKeys }).read(TOOL)
    expect(state.answerFile).toBeUndefined()
    expect(signed).toEqual([])
    await send(record, { passkey: proofOf(at.ada, record) })
    expect(signed).toMatchObject([{ id: at.ada.id, counter: 1, isBackedUp: false }])
    expect(approvalIn(await outcome).decision).toBe('allowOnce')
    expect(at.warnings).toEqual([])
    await receiptsWritten()
  })

  it('takes an edited call as it was signed', async () => {
    const { outcome, record } = await asking()
    const responses: Responses = {
      permission: { selected: ['allow-once'], input: { command: 'ls /data' }, source: 'human' },
    }
    await expect(send(record, { responses, passkey: proofOf(at.ada, record) })).rejects.toThrow(
      /signed something else/,
    )
    await send(record, { responses, passkey: proofOf(at.ada, record, responses) })
    expect(approvalIn(await outcome).input).toEqual({ command: 'ls /data' })
    await receiptsWritten()
  })

  it('has the proof of a counted answer in its log, also where it could not say that it counts', async () => {
    const stop = new AbortController()
    const { outcome, record } = await asking({ detachSignal: stop.signal })
    stop.abort()
    await outcome
    const path = join(at.sandbox.workdir, '.sandagent/questions', `${TOOL}.json`)
    const asked = await readFile(path, 'utf8')
    await writeFile(path, JSON.stringify({ ...record, state: 'closing', closingFor: 'timed-out' }))
    const folder = await tempDir()
    const log = createAuditLog({ folder })
    const clock = createFakeClock()
    const handler = createAnswerHandler({
      ...{ sandbox: at.sandbox, policy: POLICY, passkeys: at.passkeys, signingKeys: hostKeys, clock },
      authorize: () => ({ answeredBy: 'Ada' }),
      onDecision: log.write,
      onError: () => {},
    })
    const passkey = proofOf(at.ada, record)
    const body = JSON.stringify({ toolCallId: TOOL, status: 'completed', responses: allowed, passkey })
    const headers = { 'content-type': 'application/json' }
    const post = async () =>
      (await handler.POST(new Request('http://localhost/api', { method: 'POST', headers, body }))).status
    const first = post()
    await vi.waitFor(() => expect(clock.pending()).toBeGreaterThan(0))
    clock.advance(10_000)
    expect(await first).toBe(503)
    const checked = async () => {
      const passkeys = [at.ada, at.bob].map(({ id, publicKey, person }) => ({ id, publicKey, person }))
      return verifyAuditLog([folder], { passkeys })
    }
    expect(await checked()).toMatchObject({ decisions: 1, signed: 1, faults: [] })
    await writeFile(path, asked)
    expect(await post()).toBe(200)
    log.close()
    expect(await checked()).toMatchObject({ decisions: 2, signed: 1, faults: [] })
    const again = await asking()
    expect(approvalIn(await again.outcome).decision).toBe('allowOnce')
    await receiptsWritten()
  })

  it('says that a run does not know a passkey yet, and that a removed one counts no more', async () => {
    const { outcome, record } = await asking()
    const newer = await register('Ada')
    await expect(send(record, { passkey: proofOf(newer, record) })).rejects.toThrow(/start the run again/)
    await at.passkeys.remove(at.ada.id)
    await expect(send(record, { passkey: proofOf(at.ada, record) })).rejects.toThrow(/not registered for you/)
    await send(record, { responses: denied })
    expect(approvalIn(await outcome).decision).toBe('deny')
    await receiptsWritten()
  })

  it('without a policy and without passkeys demands what the run demands', async () => {
    const { outcome, record } = await asking()
    const options = { signingKeys: hostKeys }
    const request = { toolCallId: TOOL, status: 'completed' as const }
    await expect(submitAnswer(at.sandbox, { ...request, responses: allowed }, options)).rejects.toMatchObject(
      {
        code: 'PASSKEY_NEEDED',
      },
    )
    await submitAnswer(at.sandbox, { ...request, responses: denied }, options)
    expect(approvalIn(await outcome).decision).toBe('deny')
    expect(record.passkeys?.votes).toBe(1)
    await receiptsWritten()
  })
})
