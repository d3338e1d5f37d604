import type { HostPasskeys } from '@sandagent/core/internal'
import { runner } from '@sandagent/fixtures/runner/runner.ts'
import { PASSKEY_SITE } from '@sandagent/fixtures/soft-passkey.ts'
import { expect, it } from 'vitest'
import { createSigningKey, type Policy, parseSigningKeys, startRun } from '../../../src/index.ts'
import { latestRecord } from '../../../src/run-records/run-records.ts'
import { demandOf } from '../../../src/runs/start/demand-of.ts'
import { noted, started } from '../../support/runs.ts'
import { tempSandbox } from '../../support/temp-sandbox.ts'

const POLICY: Policy = [{ for: { tools: ['Bash'] }, passkey: true }, {}]
const key = { id: 'AAAA', publicKey: 'BBBB', person: 'Ada' }
const signingKeys = await parseSigningKeys(await createSigningKey())
const passkeys: HostPasskeys = {
  ...PASSKEY_SITE,
  list: async () => [{ ...key, name: 'Laptop' } as typeof key],
  verify: () => Promise.reject(new Error('Nobody signs here')),
}

it.each([
  ['no passkeys', { policy: POLICY, signingKeys }, 'passkeys: expected those of openPasskeys'],
  ['passkeys and no policy', { passkeys, signingKeys }, 'policy: expected the policy beside passkeys'],
  ['no keys', { policy: POLICY, passkeys, signingKeys: null }, 'signingKeys: expected keys beside passkeys'],
])('starts no run where a policy demands passkeys, and there are %s', async (_, options, why) => {
  const sandbox = await tempSandbox()
  await expect(startRun(sandbox, { agent: 'claude', prompt: '' }, options)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining(why),
  })
  expect(await latestRecord(sandbox, 'r')).toBeNull()
})

it('gives the run the public part of the passkeys, for the policy of the host', async () => {
  const given = { policy: POLICY, passkeys, signingKeys }
  const demand = await demandOf(await tempSandbox(), { agent: 'claude', prompt: '' }, given)
  expect(demand).toEqual({ ...PASSKEY_SITE, policy: POLICY, passkeys: [key] })
})

it('demands nothing for a policy that demands nothing', async () => {
  const given = { policy: [{}], passkeys, signingKeys: null }
  expect(await demandOf(await tempSandbox(), { agent: 'claude', prompt: '' }, given)).toBeUndefined()
})

it('starts a run that demanded passkeys again only with a policy that demands some', async () => {
  const sandbox = await tempSandbox()
  const request = { runId: 'r', agent: 'finishes', prompt: '' }
  const options = { policy: POLICY, passkeys, signingKeys }
  await started(sandbox, request, options)
  await noted(sandbox, 'r')
  expect(await latestRecord(sandbox, 'r')).toMatchObject({ demandsPasskeys: true })
  for (const less of [{ signingKeys }, { policy: [{}], signingKeys }])
    await expect(startRun(sandbox, { ...request, runner }, less)).rejects.toThrow(
      'as when the run r was started before',
    )
  expect((await started(sandbox, request, options)).attempt).toBe(2)
  await noted(sandbox, 'r')
})
