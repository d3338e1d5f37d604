import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signedDigest } from '@sandagent/core/internal'
import { createSoftPasskey, PASSKEY_SITE } from '@sandagent/fixtures/soft-passkey.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { beforeEach, expect, it } from 'vitest'
import { readLine, sealLine } from '../../src/audit/audit-line.ts'
import { createAuditLog, type Decision, verifyAuditLog } from '../../src/audit/index.ts'

const [ada, bob, stranger] = [createSoftPasskey('Ada'), createSoftPasskey('Bob'), createSoftPasskey('Ada')]
const passkeys = [ada, bob].map(({ id, publicKey, person }) => ({ id, publicKey, person }))

const signed = { toolCallId: 'call_10', questionDigest: 'ab', answer: 'cd' }
const decision = (action: Decision['action'], answeredBy: string, toolCallId = 'call_10'): Decision => ({
  ...{ at: '2026-01-31T09:30:15.123Z', action, toolCallId, answeredBy, outcome: 'OK' },
})
const proofBy = (key: typeof ada): Decision['passkey'] => ({
  ...{ ...key.sign(signedDigest(signed)), ...PASSKEY_SITE, publicKey: key.publicKey, signed },
  ...{ counter: 1, isBackedUp: false },
})

/** Two people have allowed a call by their passkeys. The name of one is written in another way than at the registration. */
const WRITTEN: [Decision, Decision, Decision] = [
  { ...decision('vote', ' ADA'), passkey: proofBy(ada) },
  { ...decision('answer', 'Bob'), passkey: proofBy(bob) },
  decision('decline', 'Bob', 'call_2'),
]
const [vote, answer, decline] = WRITTEN

let folder: string
let head: string

beforeEach(async () => {
  folder = await tempDir()
  const log = createAuditLog({ folder })
  for (const each of WRITTEN) log.write(each)
  log.close()
  const { faults, heads } = await verifyAuditLog([folder], { passkeys })
  expect(faults).toEqual([])
  head = Object.values(heads)[0] ?? ''
})

/** Puts other decisions in the place of those that were written. @param isAnew whether all hashes are made anew, too */
function change(decisions: readonly Decision[], isAnew: boolean): void {
  const path = join(folder, readdirSync(folder)[0] ?? '')
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const texts = [lines[0] ?? '']
  for (const [index, each] of decisions.entries()) {
    const { seq = 0, previous = '', hash } = readLine(lines[index + 1] ?? '')?.line ?? {}
    const above = readLine(texts.at(-1) ?? '')?.line.hash ?? ''
    texts.push(
      isAnew
        ? sealLine({ seq, previous: above }, each).text
        : JSON.stringify({ seq, previous, ...each, hash }),
    )
  }
  writeFileSync(path, `${texts.join('\n')}\n`)
}

it.each([
  ['a proof was removed', [{ ...vote, passkey: undefined }, answer, decline], []],
  [
    "two people have each other's proofs",
    [{ ...vote, passkey: answer.passkey }, { ...answer, passkey: vote.passkey }, decline],
    ['passkeys'],
  ],
  ['the end was cut off', [vote, answer], []],
  ['an answer became a denial', [vote, { ...answer, action: 'decline' }, decline], ['proofs', 'passkeys']],
  ['an answer was refused', [vote, { ...answer, outcome: 'CONFLICT' }, decline], ['proofs', 'passkeys']],
  ['a denial became an answer', [vote, answer, { ...decline, action: 'answer' }], []],
  ['somebody else allowed it', [vote, { ...answer, answeredBy: 'Eve' }, decline], ['passkeys']],
  [
    'one proof stands beside the call of another sandbox',
    [vote, answer, { ...decision('vote', ' ADA'), sandboxId: 'other', passkey: vote.passkey }],
    ['proofs', 'passkeys'],
  ],
  [
    'somebody sent a vote again, of which nobody knew whether it is stored',
    [vote, { ...vote, outcome: 'UNREACHABLE' }, answer],
    [],
  ],
  ['a stranger signed as Ada', [{ ...vote, passkey: proofBy(stranger) }, answer, decline], ['passkeys']],
  [
    'another call was allowed, whose id begins alike',
    [{ ...vote, toolCallId: 'call_1' }, answer, decline],
    ['proofs', 'passkeys'],
  ],
] satisfies [string, Decision[], string[]][])(
  'a log that is written anew so that %s is found by a head that was kept elsewhere, and perhaps before',
  async (_, decisions, foundBy) => {
    change(decisions, true)
    const found = {
      proofs: await verifyAuditLog([folder]),
      passkeys: await verifyAuditLog([folder], { passkeys }),
      head: await verifyAuditLog([folder], { expect: [head] }),
    }
    const by = Object.entries(found).filter(([, { faults }]) => faults.length > 0)
    expect(by.map(([name]) => name)).toEqual([...foundBy, 'head'])
  },
)

it('a line that is changed without its hash is found, and a cut end by a head alone', async () => {
  change([{ ...vote, passkey: undefined }, answer, decline], false)
  expect((await verifyAuditLog([folder])).faults).toMatchObject([{ kind: 'changed', line: 2 }])
  change([vote, answer], false)
  expect((await verifyAuditLog([folder])).faults).toEqual([])
  expect((await verifyAuditLog([folder], { expect: [head] })).faults).toMatchObject([{ kind: 'missing' }])
})
