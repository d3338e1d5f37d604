import { createECDH, randomBytes } from 'node:crypto'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createSigningKey, parseSigningKeys } from '@sandagent/sdk'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import { createSubscriptions } from '../../src/web-push/subscriptions.ts'

const DAY = 24 * 60 * 60_000

it('a browser that is renewed while its old token is removed stays', async () => {
  const folder = await tempDir()
  const clock = createFakeClock()
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const subscriptions = createSubscriptions(folder, { signingKeys, clock })
  const keys = {
    p256dh: createECDH('prime256v1').generateKeys().toString('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
  const browser = { endpoint: 'https://push.example/1', keys, showText: false }
  await subscriptions.add('Ada', browser)
  clock.advance(40 * DAY)

  const verify = vi.spyOn(signingKeys, 'verify')
  const sign = vi.spyOn(signingKeys, 'sign')
  const [found] = await Promise.all([subscriptions.of('Ada'), subscriptions.add('Ada', browser)])
  expect(found).toEqual([])
  // The look at the old token came first, as a whole.
  expect(verify.mock.invocationCallOrder[0]).toBeLessThan(sign.mock.invocationCallOrder[0] as number)
  expect(await subscriptions.of('Ada')).toEqual([browser])
})
