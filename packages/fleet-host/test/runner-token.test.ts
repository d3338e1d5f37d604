import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createSigningKey, parseSigningKeys } from '@sandagent/sdk'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createRunnerToken, readRunnerToken } from '../src/runner-token.ts'
import { refusalOf } from './support/runs.ts'

const signingKeys = await parseSigningKeys(await createSigningKey())
const HOUR_MS = 3_600_000

it('the token of a runner says what the runner may do, is old after half a day, and expires after a day', async () => {
  const clock = createFakeClock()
  const access = { namespace: 'one', runId: 'run-2', continues: ['run-1'] }
  const token = await createRunnerToken(access, { signingKeys, clock })
  expect(await readRunnerToken(token, { signingKeys, clock })).toEqual({
    ...access,
    isOld: false,
    expiresAt: clock.now() + 24 * HOUR_MS,
  })
  clock.advance(12 * HOUR_MS)
  expect(await readRunnerToken(token, { signingKeys, clock })).toMatchObject({ ...access, isOld: false })
  clock.advance(1)
  expect(await readRunnerToken(token, { signingKeys, clock })).toMatchObject({ ...access, isOld: true })
  clock.advance(12 * HOUR_MS - 2)
  expect(await readRunnerToken(token, { signingKeys, clock })).toMatchObject({ ...access, isOld: true })
  clock.advance(1)
  expect(await refusalOf(readRunnerToken(token, { signingKeys, clock }))).toMatchObject({
    code: 'UNAUTHENTICATED',
    message: expect.stringContaining('has expired'),
    cause: { code: 'ERR_JWT_EXPIRED' },
  })
})

it('no token is made without a namespace and a run', async () => {
  const access = { runId: '' } as Parameters<typeof createRunnerToken>[0]
  await expect(createRunnerToken(access)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    faults: [{ path: 'namespace' }, { path: 'runId' }],
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

it('a token counts as long as its host keeps the key, also behind a newer one', async () => {
  const [older, newer] = [await createSigningKey(), await createSigningKey()]
  const clock = createFakeClock()
  const access = { namespace: 'one', runId: 'run-1' }
  const token = await createRunnerToken(access, { signingKeys: await parseSigningKeys(older), clock })
  const hostWith = async (...keys: string[]) => {
    const set = JSON.stringify({ keys: keys.map((key) => JSON.parse(key)) })
    return { signingKeys: await parseSigningKeys(set), clock }
  }
  expect(await readRunnerToken(token, await hostWith(newer, older))).toMatchObject(access)
  expect(await refusalOf(readRunnerToken(token, await hostWith(newer)))).toMatchObject({
    code: 'UNAUTHENTICATED',
  })
})

it('a failure of the host is not taken for a wrong token', async () => {
  const failure = new Error('No memory')
  const failing = { ...signingKeys, verify: () => Promise.reject(failure) }
  const read = readRunnerToken('token', { signingKeys: failing, clock: createFakeClock() })
  await expect(read).rejects.toBe(failure)
})

describe('a token without given keys', () => {
  async function hostWith(key: string): Promise<void> {
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    vi.stubEnv('SANDAGENT_SIGNING_KEY', key)
    vi.stubEnv('XDG_CONFIG_HOME', join(await tempDir(), 'config'))
  }

  it('is signed with the keys of this host, at the time of the system', async () => {
    const key = await createSigningKey()
    await hostWith(key)
    const access = { namespace: 'one', runId: 'run-1' }
    const facts = {
      signingKeys: await parseSigningKeys(key),
      clock: createFakeClock(new Date().toISOString()),
    }
    expect(await readRunnerToken(await createRunnerToken(access), facts)).toMatchObject(access)
  })

  it('cannot be made where the host has none', async () => {
    await hostWith('')
    for (const options of [undefined, { signingKeys: null }])
      expect(await refusalOf(createRunnerToken({ namespace: 'one', runId: 'run-1' }, options))).toMatchObject(
        {
          code: 'NO_SIGNING_KEY',
          message: expect.stringContaining('SANDAGENT_SIGNING_KEY'),
        },
      )
  })
})
