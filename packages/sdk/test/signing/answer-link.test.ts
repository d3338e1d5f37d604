import type { AnswerFile, QuestionRecord, QuestionState } from '@sandagent/core/internal'
import { ANSWER, at, recordOf } from '@sandagent/fixtures/records/sample-records.ts'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { isAnswered, linkTokenIn, redeemLink, signLink } from '../../src/signing/answer-link.ts'
import { createSigningKey, parseSigningKeys } from '../../src/signing/signing-keys.ts'
import { refusalOf } from '../support/temp-sandbox.ts'

const PAGE = 'https://host.example/answer'
const key = await createSigningKey()
const signingKeys = await parseSigningKeys(key)
const stranger = await parseSigningKeys(await createSigningKey())
const clock = createFakeClock()
const facts = { page: PAGE, lifetimeMs: 60_000, clock }
const options = { signingKeys, page: PAGE, clock }
const link = (
  more: Partial<typeof facts> | { answeredBy: string; roles?: string[] } = {},
  record = recordOf('q'),
) => Promise.resolve(signLink(signingKeys, record, { ...facts, ...more }))
const sign = (claims: object, type = 'sandagent-link+jwt') =>
  Promise.resolve(signingKeys.sign({ ...claims }, { type, clock, lifetimeMs: 60_000 }))

const token = await link()
const request = (authorization?: string) =>
  new Request(PAGE, authorization === undefined ? {} : { headers: { authorization } })

it.each([
  ['a link', `Bearer ${token}`, token],
  ['a link with a small letter', `bearer ${token}`, token],
  ['none', undefined, null],
  ['a text', 'Bearer secret', null],
  ['another scheme', `XBearer ${token}`, null],
  ['more than a token', `Bearer ${token} more`, null],
  ['another token', `Bearer ${await sign({}, 'sandagent-runner+jwt')}`, null],
])('a request has the token of a link, or one for others: %s', (_, authorization, expected) => {
  expect(linkTokenIn(request(authorization))).toBe(expected)
})

it('a link has an id of its own, and its person with their roles', async () => {
  const [first, second] = [
    await redeemLink(token, at('q'), options),
    await redeemLink(await link(), at('q'), options),
  ]
  expect(first).toEqual({ link: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  expect(second.link).not.toBe(first.link)
  const named = await redeemLink(await link({ answeredBy: 'ada' }), at('q'), options)
  expect(named).toEqual({ link: expect.any(String), answeredBy: 'ada' })
  const roles = ['lead', 'guest']
  const lead = await redeemLink(await link({ answeredBy: 'ada', roles }), at('q'), options)
  expect(lead).toEqual({ link: expect.any(String), answeredBy: 'ada', roles })
})

it('keys of this host check a link by default', async () => {
  vi.stubEnv('SANDAGENT_SIGNING_KEY', key)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await redeemLink(token, at('q'), { ...options, signingKeys: undefined })).toMatchObject({})
  const error = await refusalOf(redeemLink(token, at('q'), { ...options, signingKeys: null }))
  expect(error).toMatchObject({ code: 'LINK_INVALID', message: expect.stringContaining('not from here') })
})

const changed = (change: Partial<QuestionRecord>): QuestionState =>
  ({ toolCallId: 'q', record: { ...recordOf('q'), ...change } }) as QuestionState

it.each<[string, QuestionState]>([
  ['another call', { ...at('q'), toolCallId: 'r' }],
  ['no recorded question', { toolCallId: 'q' }],
  ['a later question with the same id', changed({ nonce: 'other' })],
  ['a changed question', changed({ questions: [{ id: 'a', question: 'What?' }] as never })],
])('a link is not for %s', async (_, state) => {
  const error = await refusalOf(redeemLink(token, state, options))
  expect(error).toMatchObject({ code: 'LINK_INVALID', message: expect.stringContaining('another question') })
})

it.each([
  ['of another host', { signingKeys: stranger }],
  ['for another page', { page: 'https://other.example' }],
])('a link %s is refused', async (_, other) => {
  const error = await refusalOf(redeemLink(token, at('q'), { ...options, ...other }))
  expect(error).toMatchObject({ code: 'LINK_INVALID', message: expect.stringContaining('not from here') })
})

it('what is no link is refused', async () => {
  const claims = { aud: PAGE, sub: 'q', jti: 'j', questionDigest: 'd' }
  const codeOf = async (given: string) => {
    const { code, message } = await refusalOf(redeemLink(given, at('q'), options))
    return [code, /cannot be read|not from here|another question/.exec(message)?.[0]]
  }
  expect(await codeOf('secret')).toEqual(['LINK_INVALID', 'not from here'])
  expect(await codeOf(await sign(claims, 'sandagent-runner+jwt'))).toEqual(['LINK_INVALID', 'not from here'])
  expect(await codeOf(await sign(claims))).toEqual(['LINK_INVALID', 'another question'])
  for (const name of ['sub', 'jti', 'questionDigest'])
    expect(await codeOf(await sign({ ...claims, [name]: undefined }))).toEqual([
      'LINK_INVALID',
      'cannot be read',
    ])
  expect(await codeOf(await sign({ ...claims, answeredBy: 1 }))).toEqual(['LINK_INVALID', 'cannot be read'])
})

it('a link expires', async () => {
  const late = createFakeClock('2026-01-01T00:01:00Z')
  const error = await refusalOf(redeemLink(token, at('q'), { ...options, clock: late }))
  expect(error).toMatchObject({ code: 'LINK_EXPIRED', message: expect.stringContaining('expired') })
})

it('a failure of the keys is no fault of a link', async () => {
  const failure = new TypeError('no luck')
  const broken = { ...signingKeys, verify: () => Promise.reject(failure) }
  await expect(redeemLink(token, at('q'), { ...options, signingKeys: broken })).rejects.toBe(failure)
})

const DRAFT: AnswerFile = { ...ANSWER, status: 'pending' }
it.each<[string, QuestionState, boolean]>([
  ['no answer', at('q'), false],
  ['a draft', { ...at('q'), answerFile: DRAFT }, false],
  ['an answer', { ...at('q'), answerFile: ANSWER }, true],
  ['no record', { toolCallId: 'q' }, false],
  ...(['answered', 'partial', 'declined', 'timed-out', 'aborted', 'closing'] as const).map(
    (state): [string, QuestionState, boolean] => [
      `the state ${state}`,
      { toolCallId: 'q', record: recordOf('q', state) },
      ['answered', 'partial', 'declined'].includes(state),
    ],
  ),
])('a question with %s: its links are used up or not', async (_, state, isUsed) => {
  expect(isAnswered(state)).toBe(isUsed)
  if (!state.record) return
  expect(await redeemLink(token, state, { ...options, mayBeUsed: true })).toMatchObject({})
  if (!isUsed) expect(await redeemLink(token, state, options)).toMatchObject({})
  else
    expect(await refusalOf(redeemLink(token, state, options))).toMatchObject({
      code: 'LINK_USED',
      message: expect.stringContaining('used up'),
    })
})
