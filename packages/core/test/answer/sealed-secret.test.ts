import { describe, expect, it } from 'vitest'
import { createSecretKeys, openSecret, type SecretPlace, sealSecret } from '../../src/answer/sealed-secret.ts'
import type { Question } from '../../src/question/question.ts'
import { isSealedFor } from '../../src/question/secret-question.ts'

const PLACE: SecretPlace = { toolCallId: 'call-1', questionId: 'q1', questionDigest: 'd1' }
const REFUSED = { code: 'INVALID_ANSWERS' }

describe('a sealed secret', () => {
  it('is opened by the key that it was sealed for', async () => {
    const keys = await createSecretKeys()
    for (const text of [
      ' ',
      'hunter2',
      'ключ 🔑 "quoted"',
      '-----BEGIN\nline\n-----END\n',
      'x'.repeat(20_000),
    ])
      expect(await openSecret(await sealSecret(text, keys.publicKey, PLACE), keys.privateKey, PLACE)).toBe(
        text,
      )
  })

  it('is another text each time, and of the same length for short secrets', async () => {
    const { publicKey } = await createSecretKeys()
    const pin = await sealSecret('1234', publicKey, PLACE)
    expect(await sealSecret('1234', publicKey, PLACE)).not.toBe(pin)
    for (const text of ['a password of some length', 'ключ от квартиры', '🔑'.repeat(60), '\0'.repeat(40)])
      expect(await sealSecret(text, publicKey, PLACE), text).toHaveLength(pin.length)
  })

  it.each<[string, Partial<SecretPlace>]>([
    ['call', { toolCallId: 'call-2' }],
    ['question', { questionId: 'q2' }],
    ['digest', { questionDigest: 'd2' }],
  ])('cannot be opened as the answer to another %s', async (_, other) => {
    const keys = await createSecretKeys()
    const sealed = await sealSecret('hunter2', keys.publicKey, PLACE)
    await expect(openSecret(sealed, keys.privateKey, { ...PLACE, ...other })).rejects.toMatchObject(REFUSED)
  })

  it('cannot be opened by another key, nor if a character is changed', async () => {
    const keys = await createSecretKeys()
    const sealed = await sealSecret('hunter2', keys.publicKey, PLACE)
    const { privateKey } = await createSecretKeys()
    await expect(openSecret(sealed, privateKey, PLACE)).rejects.toMatchObject(REFUSED)
    for (const at of [20, 106, 216])
      await expect(
        openSecret(
          sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1),
          keys.privateKey,
          PLACE,
        ),
      ).rejects.toMatchObject(REFUSED)
    for (const text of ['', 'x', 'no base64!'])
      await expect(openSecret(text, keys.privateKey, PLACE)).rejects.toMatchObject(REFUSED)
  })

  it('has at least one character', async () => {
    const { publicKey } = await createSecretKeys()
    await expect(sealSecret('', publicKey, PLACE)).rejects.toMatchObject(REFUSED)
  })

  it('is told from what was never sealed for its question', async () => {
    const { publicKey } = await createSecretKeys()
    const question: Question = { question: 'The token?', secret: { publicKey } }
    const sealed = await sealSecret('hunter2', publicKey, PLACE)
    expect(isSealedFor(question, sealed)).toBe(true)
    const other = await sealSecret('hunter2', (await createSecretKeys()).publicKey, PLACE)
    for (const text of [
      '',
      sealed.slice(0, 16),
      `${sealed.slice(0, 16)}hunter2`,
      `${sealed.slice(0, 16)}${'A'.repeat(450)}`,
      `${sealed}=`,
      sealed.slice(0, -1),
      other,
    ])
      expect(isSealedFor(question, text), text).toBe(false)
  })

  it('is refused if it is too long for an answer', async () => {
    const { publicKey } = await createSecretKeys()
    await expect(sealSecret('x'.repeat(24_000), publicKey, PLACE)).rejects.toMatchObject(REFUSED)
  })
})
