import { createFakeClock } from '@sandagent/testing'
import { expect, it } from 'vitest'
import { createAnswerLink, submitAnswer } from '../../src/index.ts'
import { createSigningKey, parseSigningKeys } from '../../src/signing/signing-keys.ts'
import { ask, picked, refusalOf, settle, tempSandbox } from '../support/temp-sandbox.ts'

const signingKeys = await parseSigningKeys(await createSigningKey())
const PAGE = 'https://host.example/answer?a=1'

it('a link leads to the page, with the question and a token behind the #', async () => {
  const sandbox = await tempSandbox()
  await ask(sandbox, 'a b')
  const clock = createFakeClock()
  const link = new URL(
    await createAnswerLink(sandbox, { toolCallId: 'a b', page: PAGE }, { signingKeys, clock }),
  )
  expect(link.href.split('#')[0]).toBe(PAGE)
  const facts = new URLSearchParams(link.hash.slice(1))
  expect([...facts.keys()]).toEqual(['toolCallId', 'token'])
  expect(facts.get('toolCallId')).toBe('a b')
  const claims = JSON.parse(Buffer.from(`${facts.get('token')?.split('.')[1]}`, 'base64url').toString())
  const now = clock.now() / 1000
  expect(claims.exp).toBe(now + 7 * 24 * 3600)
  const short = await createAnswerLink(
    sandbox,
    { toolCallId: 'a b', page: PAGE, answeredBy: 'ada', expiresInMs: 5000 },
    { signingKeys, clock },
  )
  const token = `${new URLSearchParams(new URL(short).hash.slice(1)).get('token')}`
  const own = JSON.parse(Buffer.from(`${token.split('.')[1]}`, 'base64url').toString())
  expect(own.exp).toBe(now + 5)
  expect(JSON.stringify(own)).toContain('ada')
})

it('a question that nobody asked, or that has ended, gets no link', async () => {
  const sandbox = await tempSandbox()
  const link = (toolCallId: string) =>
    refusalOf(createAnswerLink(sandbox, { toolCallId, page: PAGE }, { signingKeys }))
  expect(await link('q')).toMatchObject({ code: 'NOT_FOUND', facts: { toolCallId: 'q' } })
  await ask(sandbox, 'q')
  await settle(sandbox, 'q', { state: 'timed-out' })
  expect(await link('q')).toMatchObject({ code: 'GONE', facts: { toolCallId: 'q' } })
  await ask(sandbox, 'sent')
  const answer = { toolCallId: 'sent', responses: { q1: picked('Python') } }
  await submitAnswer(sandbox, { ...answer, status: 'pending' }, { signingKeys })
  await createAnswerLink(sandbox, { toolCallId: 'sent', page: PAGE }, { signingKeys })
  await submitAnswer(sandbox, { ...answer, status: 'completed' }, { signingKeys })
  expect(await link('sent')).toMatchObject({ code: 'GONE' })
})

it('requests and options that do not exist are refused', async () => {
  const sandbox = await tempSandbox()
  await ask(sandbox, 'q')
  const request = { toolCallId: 'q', page: PAGE }
  for (const [given, options] of [
    [{ ...request, expires: 5 }, { signingKeys }],
    [request, { signingKeys, keys: signingKeys }],
  ])
    expect(await refusalOf(createAnswerLink(sandbox, given as never, options as never))).toMatchObject({
      code: 'INVALID_REQUEST',
    })
})

it.each([
  ['answeredBy', { answeredBy: 5 }],
  ['roles.0', { answeredBy: 'ada', roles: [1] }],
  ['roles', { answeredBy: 'ada', roles: 'lead' }],
  ['answeredBy', { roles: ['lead'] }],
  ['answeredBy', { answeredBy: '', roles: ['lead'] }],
  ['page', { page: 'answer' }],
  ['expiresInMs', { expiresInMs: 0 }],
  ['expiresInMs', { expiresInMs: Number.NaN }],
  ['expiresInMs', { expiresInMs: Number.POSITIVE_INFINITY }],
])('a wrong value of %s is refused: %j', async (path, wrong) => {
  const sandbox = await tempSandbox()
  await ask(sandbox, 'q')
  const request = { toolCallId: 'q', page: PAGE, ...wrong }
  const refusal = await refusalOf(createAnswerLink(sandbox, request as never, { signingKeys }))
  expect(refusal).toMatchObject({ code: 'INVALID_REQUEST', faults: [{ path }] })
})

it('a link carries the roles of its person', async () => {
  const sandbox = await tempSandbox()
  await ask(sandbox, 'q')
  const request = { toolCallId: 'q', page: PAGE, answeredBy: 'ada', roles: ['lead'] }
  const link = new URL(await createAnswerLink(sandbox, request, { signingKeys }))
  const token = `${new URLSearchParams(link.hash.slice(1)).get('token')}`
  const claims = JSON.parse(Buffer.from(`${token.split('.')[1]}`, 'base64url').toString())
  expect(claims).toMatchObject({ answeredBy: 'ada', roles: ['lead'] })
})
