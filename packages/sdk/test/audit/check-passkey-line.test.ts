import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signedDigest } from '@sandagent/core/internal'
import { createSoftPasskey, PASSKEY_SITE } from '@sandagent/fixtures/soft-passkey.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { beforeEach, expect, it } from 'vitest'
import { readLine, sealLine } from '../../src/audit/audit-line.ts'
import { createAuditLog, type Decision, verifyAuditLog } from '../../src/audit/index.ts'

const ada = createSoftPasskey('Ada')
const signed = { toolCallId: 'call_1', questionDigest: 'ab', answer: 'cd' }

const decisionBy = (proof = ada.sign(signedDigest(signed))): Decision => ({
  at: '2026-01-31T09:30:15.123Z',
  action: 'answer',
  toolCallId: 'call_1',
  answeredBy: 'Ada',
  outcome: 'OK',
  passkey: { ...proof, ...PASSKEY_SITE, publicKey: ada.publicKey, signed, counter: 1, isBackedUp: false },
})

let folder: string

beforeEach(async () => {
  folder = await tempDir()
  const log = createAuditLog({ folder })
  log.write(decisionBy())
  log.close()
})

const path = (): string => join(folder, readdirSync(folder)[0] ?? '')

/** Writes the whole log anew, with right hashes, as somebody can who may write to its folder. */
function rewrite(change: (line: Decision) => Decision): void {
  const [opened = '', line = ''] = readFileSync(path(), 'utf8').split('\n')
  const { content } = readLine(line)?.line ?? {}
  const { text } = sealLine(
    { seq: 2, previous: readLine(opened)?.line.hash ?? '' },
    change(content as unknown as Decision),
  )
  writeFileSync(path(), `${opened}\n${text}\n`)
}

const faults = async (): Promise<string[]> =>
  (await verifyAuditLog([folder])).faults.map(({ kind, text }) => `${kind}: ${text}`)

it('a decision that a passkey signed is checked without any host', async () => {
  expect(await verifyAuditLog([folder])).toMatchObject({ decisions: 1, signed: 1, faults: [] })
})

it.each([
  [
    'another signature',
    { signature: ada.sign(signedDigest(signed)).signature.replace(/^./, 'A') },
    /passkey/,
  ],
  [
    'a proof for another answer',
    ada.sign(signedDigest({ ...signed, answer: 'ef' })),
    /signed something else/,
  ],
  ['another answer', { signed: { ...signed, answer: 'ef' } }, /signed something else/],
  ['another call', { signed: { ...signed, toolCallId: 'call_2' } }, /another call/],
  ['another key', { publicKey: createSoftPasskey('Ada').publicKey }, /signature/],
  ['another count', { counter: 7 }, /other facts/],
  [
    'a proof without a verified person',
    ada.sign(signedDigest(signed), { flags: 1 }),
    /did not check who used it/,
  ],
])('a log that is written anew with %s is found', async (_, change, why) => {
  rewrite((line) => ({ ...line, passkey: { ...line.passkey, ...change } as Decision['passkey'] }))
  expect(await faults()).toEqual([expect.stringMatching(why)])
  expect((await faults())[0]).toMatch(/^unproven: Line 2 is not what a passkey signed/)
})

it('a proof that was moved to another call is found', async () => {
  rewrite((line) => ({ ...line, toolCallId: 'call_9' }))
  expect(await faults()).toEqual([expect.stringMatching(/another call/)])
})

it('only the passkeys that are named count, and each for its person', async () => {
  const check = (passkeys: Parameters<typeof verifyAuditLog>[1] extends infer O ? O : never) =>
    verifyAuditLog([folder], passkeys)
  const { id, publicKey, person } = ada
  expect((await check({ passkeys: [{ id, publicKey, person }] })).faults).toEqual([])
  for (const passkeys of [[], [{ id, publicKey, person: 'Bob' }], [createSoftPasskey('Ada')]])
    expect((await check({ passkeys })).faults).toMatchObject([{ kind: 'unproven' }])
})
