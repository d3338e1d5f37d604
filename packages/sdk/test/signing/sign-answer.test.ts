import { answerClaims } from '@sandagent/core/internal'
import { ANSWER, recordOf } from '@sandagent/fixtures/records/sample-records.ts'
import { createFakeClock } from '@sandagent/testing'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { expect, it, onTestFinished, vi } from 'vitest'
import { signAnswer } from '../../src/signing/answer-signatures.ts'
import { createSigningKey, parseSigningKeys } from '../../src/signing/signing-keys.ts'
import { refusalOf } from '../support/temp-sandbox.ts'

const [one, other] = [JSON.parse(await createSigningKey()), JSON.parse(await createSigningKey())]
const signingKeys = await parseSigningKeys(JSON.stringify({ keys: [one, other] }))
const clock = createFakeClock()
const RECORD = recordOf('q')

/** Signs the answer for a run with these keys. */
const signed = (keys: typeof signingKeys | null | undefined, runKeys?: string[]) => {
  const keysOfRun = async (runId: string) => (runId === 'run-1' ? runKeys : undefined)
  const sandbox = { files: {}, runs: { keyIds: keysOfRun } }
  return signAnswer(sandbox as never, ANSWER, RECORD, { signingKeys: keys, clock })
}

it.each([
  ['any key, for a run without keys', undefined, one.kid],
  ['a key that the run knows', [other.kid], other.kid],
])('an answer is signed with %s', async (_, runKeys, kid) => {
  const { signature = '', ...answer } = await signed(signingKeys, runKeys)
  expect(answer).toEqual(ANSWER)
  expect(decodeProtectedHeader(signature)).toMatchObject({ kid, typ: 'sandagent-answer+jwt' })
  const iat = clock.now() / 1000
  const claims = { ...answerClaims(ANSWER, RECORD), iat, exp: iat + 365 * 24 * 3600 }
  expect(decodeJwt(signature)).toEqual(JSON.parse(JSON.stringify(claims)))
})

it('a host without keys signs nothing, and cannot answer a run that has keys', async () => {
  expect(await signed(null)).toBe(ANSWER)
  const error = await refusalOf(signed(null, ['k']))
  expect(error).toMatchObject({ code: 'NO_SIGNING_KEY', facts: { runId: 'run-1' } })
  expect(error.message).toContain('SANDAGENT_SIGNING_KEY')
  expect(await refusalOf(signed(signingKeys, ['k']))).toMatchObject({ code: 'NO_SIGNING_KEY' })
})

it('the keys of this host sign by default', async () => {
  vi.stubEnv('SANDAGENT_SIGNING_KEY', JSON.stringify(other))
  onTestFinished(() => void vi.unstubAllEnvs())
  const { signature = '' } = await signed(undefined)
  expect(decodeProtectedHeader(signature).kid).toBe(other.kid)
})
