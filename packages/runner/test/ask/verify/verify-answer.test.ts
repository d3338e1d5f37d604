import { ANSWER_TOKEN_TYPE, answerClaims, type QuestionRecord } from '@sandagent/core/internal'
import { answerFileFor, createFakeClock, openRecord } from '@sandagent/testing'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { createVerifier, type Verdict } from '../../../src/ask/verify/verify-answer.ts'

const { privateKey, publicKey } = await generateKeyPair('Ed25519')
const shown = { ...(await exportJWK(publicKey)), kid: 'key-1' }
const clock = createFakeClock()

const record = openRecord('c', { runId: 'r' })
const answerFile = answerFileFor('c', { status: 'completed', revision: 3 })

/** The verdict on what is signed with this algorithm. */
async function verdictOn(
  claims: object,
  { alg = 'Ed25519', keys = [shown], asked = record as QuestionRecord, runIds = ['r'] } = {},
): Promise<Verdict> {
  const signature = await new SignJWT({ ...claims })
    .setProtectedHeader({ alg, kid: 'key-1', typ: ANSWER_TOKEN_TYPE })
    .setIssuedAt(clock.now() / 1000)
    .setExpirationTime(clock.now() / 1000 + 60)
    .sign(privateKey)
  return createVerifier({ keys }, clock)({ ...answerFile, signature }, asked, runIds)
}

const claims = answerClaims(answerFile, record)

it('what was signed for the question is the answer, with its revision', async () => {
  const verdict = await verdictOn(claims)
  expect(verdict).toMatchObject({ answerFile: { ...answerFile, signature: expect.any(String) }, revision: 3 })
})

it('an answer that is not signed is no answer', async () => {
  const verify = createVerifier({ keys: [shown] }, clock)
  expect(await verify(answerFile, record, ['r'])).toEqual({ forgery: 'UNSIGNED' })
})

it('what was signed for another question or run is no answer', async () => {
  const other = { ...record, questions: [] }
  expect(await verdictOn(claims, { asked: other })).toEqual({ forgery: 'WRONG_QUESTION' })
  expect(await verdictOn(claims, { runIds: ['s'] })).toEqual({ forgery: 'REPLAYED' })
})

it('what the host signed and is no answer is a bad signature', async () => {
  expect(await verdictOn({ hello: 'world' })).toEqual({ forgery: 'BAD_SIGNATURE' })
})

it('a signature of another algorithm is bad, even with the same key', async () => {
  expect(await verdictOn(claims, { alg: 'EdDSA' })).toEqual({ forgery: 'BAD_SIGNATURE' })
})

it('a public key that cannot be used is an error, and makes no answer a forgery', async () => {
  const broken = { ...shown, x: 'AAAA' }
  await expect(verdictOn(claims, { keys: [broken] })).rejects.toThrow()
})
