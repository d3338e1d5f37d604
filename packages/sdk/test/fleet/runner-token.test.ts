import { createFakeClock } from '@sandagent/core/testing'
import { expect, it } from 'vitest'
import { createRunnerToken, readRunnerToken } from '../../src/fleet/runner-token.ts'
import { createSigningKey, parseSigningKeys } from '../../src/signing/signing-keys.ts'
import { refusalOf } from '../support/temp-sandbox.ts'

const signingKeys = await parseSigningKeys(await createSigningKey())
const HOUR_MS = 3_600_000

it('the token of a runner says what the runner may do, is old after half a day, and expires after a day', async () => {
  const clock = createFakeClock()
  const access = { namespace: 'one', runId: 'run-2', continues: ['run-1'] }
  const token = await createRunnerToken(access, { signingKeys, clock })
  expect(await readRunnerToken(token, { signingKeys, clock })).toEqual({ ...access, isOld: false })
  clock.advance(12 * HOUR_MS)
  expect(await readRunnerToken(token, { signingKeys, clock })).toEqual({ ...access, isOld: false })
  clock.advance(1)
  expect(await readRunnerToken(token, { signingKeys, clock })).toEqual({ ...access, isOld: true })
  clock.advance(12 * HOUR_MS - 2)
  expect(await readRunnerToken(token, { signingKeys, clock })).toEqual({ ...access, isOld: true })
  clock.advance(1)
  expect(await refusalOf(readRunnerToken(token, { signingKeys, clock }))).toMatchObject({
    code: 'UNAUTHENTICATED',
    message: expect.stringContaining('has expired'),
    cause: { code: 'ERR_JWT_EXPIRED' },
  })
})

it('a token continues no runs unless it says so', async () => {
  const clock = createFakeClock()
  const token = await createRunnerToken({ namespace: 'one', runId: 'run-1' }, { signingKeys, clock })
  expect(await readRunnerToken(token, { signingKeys, clock })).toMatchObject({ continues: [] })
})

it('a token for another purpose, or without its facts, is refused', async () => {
  const clock = createFakeClock()
  const facts = { clock, lifetimeMs: HOUR_MS }
  const access = { namespace: 'one', runId: 'run-1', continues: [] }
  const read = async (claims: object, type: string) =>
    refusalOf(readRunnerToken(await signingKeys.sign(claims, { ...facts, type }), { signingKeys, clock }))
  expect(await read(access, 'sandagent-link+jwt')).toMatchObject({ code: 'UNAUTHENTICATED' })
  for (const name of ['namespace', 'runId', 'continues'])
    expect(await read({ ...access, [name]: undefined }, 'sandagent-runner+jwt')).toMatchObject({
      code: 'UNAUTHENTICATED',
      message: expect.stringContaining('This is no token of a runner'),
    })
})
