import { approvalIn, PASSKEYS_VARIABLE, viewOf } from '@sandagent/core/internal'
import { PASSKEY_SITE } from '@sandagent/fixtures/soft-passkey.ts'
import { createInbox, createInboxHandler } from '@sandagent/inbox'
import { openPasskeys } from '@sandagent/passkeys'
import { receiptsWritten } from '@sandagent/runner'
import { createSandboxTransport, submitAnswer } from '@sandagent/sdk'
import { channelOf } from '@sandagent/sdk/internal'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { allowed, denied, hostKeys, POLICY, proofOf, signedCalls, TOOL, vote } from './signed-calls.ts'

const { at, asking, plant, isRefused } = signedCalls()

/** What Ada reads of the call: in a terminal or a program of the host, and in the inbox. */
async function readByAda() {
  const host = { policy: POLICY, passkeys: at.passkeys, signingKeys: hostKeys }
  const transport = createSandboxTransport(at.sandbox, { ...host, answeredBy: 'Ada' })
  const ownView = await new Promise((resolve) => {
    const stop = transport.subscribe?.(TOOL, resolve)
    onTestFinished(() => stop?.())
  })
  const sandboxes = [{ id: 'shop', name: 'Shop', sandbox: at.sandbox }]
  const [listed] = (await createInbox({ ...host, sandboxes }).list()).questions
  const warnings: unknown[] = []
  const handler = createInboxHandler({
    ...host,
    sandboxes,
    authorize: () => ({ answeredBy: 'Ada' }),
    onWarning: (warning) => void warnings.push(warning),
  })
  const look = async () =>
    (await handler(new Request('http://localhost/api/inbox/questions'))).json() as Promise<{
      questions: { question: unknown }[]
    }>
  await look()
  const { questions } = await look()
  return { ownView, inInbox: questions[0]?.question, inList: listed?.question, warnings }
}

const deny = async () =>
  submitAnswer(
    at.sandbox,
    { toolCallId: TOOL, status: 'completed', responses: denied },
    { answeredBy: 'Ada', policy: POLICY, passkeys: at.passkeys, signingKeys: hostKeys },
  )

describe('a run that demands no passkey for a call, under a policy that demands one,', () => {
  it.each([
    ['of another policy', () => at.passkeys.forRun([{ for: { tools: ['Edit'] }, passkey: true }, {}])],
    ['without passkeys', async () => null],
  ])('is told apart wherever people decide, and in the log of the host: one %s', async (_, demanded) => {
    const { outcome, record } = await asking({ demand: await demanded() })
    expect(record).not.toHaveProperty('passkeys')
    const { ownView, inInbox, inList, warnings } = await readByAda()
    const note = expect.stringMatching(/the policy of the run demands none: .*--policy FILE --inbox URL/)
    for (const view of [ownView, inInbox, inList])
      expect(view).toMatchObject({ rule: { passkey: true }, passkeyNote: note })
    expect(warnings).toEqual([{ code: 'PASSKEY_NEEDED', message: note, toolCallId: TOOL }])
    await deny()
    await outcome
    await receiptsWritten()
  })

  it('is not told of beside a run that checks them', async () => {
    const { outcome } = await asking()
    const { ownView, inInbox, inList, warnings } = await readByAda()
    expect(ownView).toMatchObject({ passkey: { ids: [at.ada.id] } })
    for (const view of [ownView, inInbox, inList]) expect(view).not.toHaveProperty('passkeyNote')
    expect(warnings).toEqual([])
    await deny()
    await outcome
    await receiptsWritten()
  })
})

describe('a run that takes passkeys of another page', () => {
  const elsewhere = (origin: string) => ({ ...PASSKEY_SITE, origins: [origin] })
  const demandAt = async (site: typeof PASSKEY_SITE) => ({ ...(await at.passkeys.forRun(POLICY)), ...site })

  it.each([
    ['of another port', elsewhere('https://inbox.example:7263')],
    ['of another name', { rpId: 'old.example', origins: ['https://old.example'] }],
  ])('is told with both addresses, and its host refuses what it would ignore: %s', async (_, site) => {
    const { outcome, record } = await asking({ demand: await demandAt(site) })
    const { ownView, inList, warnings } = await readByAda()
    const note = expect.stringContaining(
      `only from ${site.origins[0]}, and this is ${PASSKEY_SITE.origins[0]}`,
    )
    for (const view of [ownView, inList]) expect(view).toMatchObject({ passkeyNote: note })
    expect(ownView).not.toHaveProperty('passkey')
    expect(warnings).toMatchObject([{ message: note }])
    const request = { toolCallId: TOOL, status: 'completed' as const, responses: allowed }
    await expect(
      submitAnswer(
        at.sandbox,
        { ...request, passkey: proofOf(at.ada, record) },
        { answeredBy: 'Ada', policy: POLICY, passkeys: at.passkeys, signingKeys: hostKeys },
      ),
    ).rejects.toMatchObject({ code: 'PASSKEY_NEEDED', message: note })
    await deny()
    expect(approvalIn(await outcome).decision).toBe('deny')
    expect(at.warnings).toEqual([])
    await receiptsWritten()
  })

  it('waits still where such an answer is stored, and takes one from its own page', async () => {
    const site = elsewhere('https://inbox.example:7263')
    const { outcome, record } = await asking({ demand: await demandAt(site) })
    await plant(record, { votes: [vote('Ada', proofOf(at.ada, record))] })
    await vi.waitFor(() => expect(at.warnings).toMatchObject([{ code: 'PASSKEY_NEEDED' }]))
    const host = { passkeys: at.passkeys, signingKeys: hostKeys }
    const state = await channelOf(at.sandbox, host).read(TOOL)
    expect(viewOf(state, Date.now())).toMatchObject({ state: 'open', ignored: true })
    const itsInbox = openPasskeys({ ...site, folder: at.folder })
    const passkey = proofOf(at.ada, record, allowed, { origin: site.origins[0] ?? '' })
    await submitAnswer(
      at.sandbox,
      { toolCallId: TOOL, status: 'completed', responses: allowed, passkey },
      { answeredBy: 'Ada', policy: POLICY, passkeys: itsInbox, signingKeys: hostKeys },
    )
    expect(approvalIn(await outcome).decision).toBe('allowOnce')
    await receiptsWritten()
  })
})

it('a runner of one’s own demands what the environment says, also where it names no passkeys', async () => {
  vi.stubEnv(PASSKEYS_VARIABLE, JSON.stringify(await at.passkeys.forRun(POLICY)))
  onTestFinished(() => void vi.unstubAllEnvs())
  const asked = await asking({ demand: null })
  expect(asked.record.passkeys).toMatchObject({ votes: 1 })
  await isRefused(asked, {}, /nobody has signed/)
  vi.stubEnv(PASSKEYS_VARIABLE, '')
  await expect(asking({ demand: null })).rejects.toThrow('SANDAGENT_PASSKEYS holds no passkeys')
})
