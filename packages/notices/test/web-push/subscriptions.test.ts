import { createECDH, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFakeClock } from '@sandagent/core/testing'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createSigningKey, parseSigningKeys } from '@sandagent/sdk'
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

  const { verify } = signingKeys
  let renewing: Promise<void> | undefined
  vi.spyOn(signingKeys, 'verify').mockImplementationOnce(async (...given) => {
    renewing = subscriptions.add('Ada', browser)
    await Promise.race([renewing, sleep(200)]) // Time for a renewal that does not wait its turn.
    return verify(...given)
  })
  expect(await subscriptions.of('Ada')).toEqual([])
  await renewing
  expect(await subscriptions.of('Ada')).toEqual([browser])
})
