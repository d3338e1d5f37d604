import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { changeDigest } from '@sandagent/core/internal'
import { createSoftPasskey, PASSKEY_SITE } from '@sandagent/fixtures/soft-passkey.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createFakeClock } from '@sandagent/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { openPasskeys, type Passkeys } from '../src/index.ts'

const clock = createFakeClock()
let folder: string
let passkeys: Passkeys

beforeEach(async () => {
  folder = join(await tempDir(), 'passkeys')
  passkeys = openPasskeys({ ...PASSKEY_SITE, folder, clock })
})

/** Registers a passkey by a code of the terminal. */
async function registered(person = 'Ada', name = 'Laptop') {
  const key = createSoftPasskey(person)
  const code = await passkeys.newCode(person)
  const { challenge } = await passkeys.begin(person)
  await passkeys.register(person, { challenge, code, name, response: key.register(challenge) })
  return key
}

describe('a passkey', () => {
  it('is registered by a code of the terminal, and listed with what it says of itself', async () => {
    const { id, publicKey } = await registered()
    expect(await passkeys.list()).toEqual([
      {
        ...{ id, publicKey, person: 'Ada', name: 'Laptop', rpId: PASSKEY_SITE.rpId },
        addedAt: new Date(clock.now()).toISOString(),
        isBackedUp: false,
      },
    ])
    expect(await readdir(folder)).toHaveLength(1)
  })

  it('is registered by another passkey of the same person, which signs for this very one', async () => {
    const [first, second, third] = [await registered(), createSoftPasskey('Ada'), createSoftPasskey('Ada')]
    const add = async (proofFor: string, key = second) => {
      const { challenge, ids } = await passkeys.begin('Ada')
      expect(ids).toContain(first.id)
      const proof = first.sign(changeDigest({ challenge, action: 'add', id: proofFor }))
      return passkeys.register('Ada', { challenge, proof, name: '', response: key.register(challenge) })
    }
    await expect(add(third.id)).rejects.toMatchObject({ code: 'PASSKEY_NEEDED' })
    await add(second.id)
    await expect(add(second.id)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await passkeys.list()).map(({ id }) => id).sort()).toEqual([first.id, second.id].sort())
  })

  it.each([
    ['without a code', async () => undefined],
    ['with a code that nobody made', async () => 'AAAA-BBBB-CCCC-DDDD'],
    ['with the code of another person', () => passkeys.newCode('Bob')],
    [
      'with a code that is too old',
      async () => {
        const code = await passkeys.newCode('Ada')
        clock.advance(10 * 60_000 + 1)
        return code
      },
    ],
    [
      'with a code that was used',
      async () => {
        const code = await passkeys.newCode('Ada')
        const { challenge } = await passkeys.begin('Ada')
        const response = createSoftPasskey('Ada').register(challenge)
        await passkeys.register('Ada', { challenge, code, name: '', response })
        return code
      },
    ],
  ])('is not registered %s: whoever has a session has no terminal', async (_, codeOf) => {
    const code = await codeOf()
    const before = await passkeys.list()
    const { challenge } = await passkeys.begin('Ada')
    const response = createSoftPasskey('Ada').register(challenge)
    const given = { challenge, name: '', response, ...(code !== undefined && { code }) }
    const refusal = {
      code: 'PASSKEY_NEEDED',
      message: expect.stringMatching(
        code === undefined
          ? /another passkey of yours, or a code/
          : /This code is wrong, .* another name than Ada/,
      ),
    }
    await expect(passkeys.register('Ada', given)).rejects.toMatchObject(refusal)
    expect(await passkeys.list()).toEqual(before)
  })

  it.each([
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['another domain', { rpId: 'evil.example' }],
    ['an authenticator that did not verify the person', { flags: 0x41 }],
    ['a page in a frame of another site', { crossOrigin: true }],
    ['a page below another site', { topOrigin: 'https://evil.example' }],
  ])('is not registered by %s', async (_, changes) => {
    const code = await passkeys.newCode('Ada')
    const { challenge } = await passkeys.begin('Ada')
    const response = createSoftPasskey('Ada').register(challenge, changes)
    const adding = passkeys.register('Ada', { challenge, code, name: '', response })
    await expect(adding).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect(await passkeys.list()).toEqual([])
  })

  it('is registered once for each beginning, and by whoever began', async () => {
    const { challenge } = await passkeys.begin('Ada')
    const register = async (person: string) =>
      passkeys.register(person, {
        ...{ challenge, name: '', code: await passkeys.newCode(person) },
        response: createSoftPasskey(person).register(challenge),
      })
    await expect(register('Bob')).rejects.toMatchObject({ code: 'PASSKEY_NEEDED' })
    await expect(register('Ada')).rejects.toMatchObject({ code: 'PASSKEY_NEEDED' })
  })

  it('is removed by itself, by another one of the person or by the terminal, and by nobody else', async () => {
    const [first, second] = [await registered(), await registered()]
    const bobs = await registered('Bob')
    const removing = async (by: typeof first, id: string, action: 'add' | 'remove' = 'remove') => {
      const { challenge } = await passkeys.begin('Ada')
      await passkeys.removeBy('Ada', {
        challenge,
        id,
        proof: by.sign(changeDigest({ challenge, action, id })),
      })
    }
    await expect(removing(bobs, first.id)).rejects.toMatchObject({ code: 'PASSKEY_NEEDED' })
    await expect(removing(second, first.id, 'add')).rejects.toMatchObject({ code: 'PASSKEY_NEEDED' })
    await expect(removing(second, bobs.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await removing(second, first.id)
    await removing(second, second.id)
    await passkeys.remove(bobs.id)
    await expect(passkeys.remove(bobs.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await passkeys.list()).toEqual([])
  })

  it('of another domain is not used here', async () => {
    await registered()
    const elsewhere = openPasskeys({ rpId: 'other.example', origins: ['https://other.example'], folder })
    expect(await elsewhere.list()).toEqual([])
  })
})

describe('a code', () => {
  it('is looked at before a device makes a passkey, and stays', async () => {
    const code = await passkeys.newCode('Ada')
    await expect(passkeys.begin('Ada', { code: 'AAAA-BBBB-CCCC-DDDD' })).rejects.toMatchObject({
      code: 'PASSKEY_NEEDED',
    })
    await expect(passkeys.begin('Bob', { code })).rejects.toMatchObject({ code: 'PASSKEY_NEEDED' })
    await passkeys.begin('Ada', { code: code.toLowerCase().replaceAll('-', ' ') })
    const { challenge } = await passkeys.begin('Ada', { code })
    const key = createSoftPasskey('Ada')
    await passkeys.register('Ada', { challenge, code, name: '', response: key.register(challenge) })
    await expect(passkeys.begin('Ada', { code })).rejects.toMatchObject({ code: 'PASSKEY_NEEDED' })
  })

  it('is used up by its own person alone: a wrong name does not burn it', async () => {
    const code = await passkeys.newCode('Ada')
    const add = async (person: string) => {
      const { challenge } = await passkeys.begin(person)
      const response = createSoftPasskey(person).register(challenge)
      return passkeys.register(person, { challenge, code, name: '', response })
    }
    await expect(add('Bob')).rejects.toMatchObject({ code: 'PASSKEY_NEEDED' })
    expect(await add('ada ')).toMatchObject({ person: 'ada ' })
    await expect(add('Ada')).rejects.toMatchObject({ code: 'PASSKEY_NEEDED' })
  })

  it('lets one of two in that come at once', async () => {
    const code = await passkeys.newCode('Ada')
    const add = async () => {
      const { challenge } = await passkeys.begin('Ada')
      const response = createSoftPasskey('Ada').register(challenge)
      return passkeys.register('Ada', { challenge, code, name: '', response })
    }
    const ended = await Promise.allSettled([add(), add()])
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await passkeys.list()).toHaveLength(1)
  })

  it.each([
    ['is damaged', (file: string) => writeFile(file, '{"person":')],
    ['others can read', (file: string) => chmod(file, 0o644)],
  ])('that %s counts no more, is removed, and keeps nobody from another one', async (_, harm) => {
    const code = await passkeys.newCode('Ada')
    const [name = ''] = await readdir(folder)
    await harm(join(folder, name))
    await expect(passkeys.begin('Ada', { code })).rejects.toMatchObject({ code: 'PASSKEY_NEEDED' })
    expect(await readdir(folder)).toEqual([])
    await passkeys.begin('Ada', { code: await passkeys.newCode('Ada') })
  })

  it('that nobody used is removed once it is too old', async () => {
    await passkeys.newCode('Ada')
    const young = await passkeys.newCode('Bob')
    expect(await readdir(folder)).toHaveLength(2)
    await clock.advance(5 * 60_000)
    await passkeys.newCode('Ada')
    expect(await readdir(folder)).toHaveLength(3)
    await clock.advance(6 * 60_000)
    await expect(passkeys.begin('Bob', { code: young })).rejects.toMatchObject({ code: 'PASSKEY_NEEDED' })
    expect(await readdir(folder)).toHaveLength(1)
  })
})

it('a proof that does not count says why in plain words, and quotes nothing of what was sent', async () => {
  const { challenge } = await passkeys.begin('Ada')
  const key = createSoftPasskey('Ada')
  const code = await passkeys.newCode('Ada')
  const response = key.register(challenge, { origin: 'https://evil.example' })
  await expect(passkeys.register('Ada', { challenge, code, name: '', response })).rejects.toThrow(
    /^This passkey cannot be registered: it was used on a page of another address$/,
  )
  const ada = await registered()
  const proof = ada.sign('ab'.repeat(32))
  for (const damaged of [
    { ...proof, signature: proof.signature.slice(4) },
    { ...proof, authenticatorData: 'AAAA' },
    { ...proof, clientDataJSON: Buffer.from('{"type":1}').toString('base64url') },
    { ...proof, clientDataJSON: 'AAAA' },
  ])
    await expect(passkeys.verify(damaged, 'ab'.repeat(32), ada)).rejects.toThrow(
      /^The passkey did not sign this answer: (its signature is wrong|what it sent cannot be read|it was used for something else)$/,
    )
})

it('a passkey that others can write to does not count', async () => {
  await registered()
  const [name = ''] = await readdir(folder)
  await chmod(join(folder, name), 0o666)
  await expect(passkeys.list()).rejects.toMatchObject({ code: 'UNSAFE_PATH' })
})

it('a run gets the public halves, and no names of devices', async () => {
  const { id, publicKey, person } = await registered()
  const policy = [{ for: { kinds: ['approval' as const] }, passkey: true as const }, {}]
  expect(await passkeys.forRun(policy)).toEqual({
    ...PASSKEY_SITE,
    policy,
    passkeys: [{ id, publicKey, person }],
  })
})

it.each([
  ['127.0.0.1', ['http://127.0.0.1:7263'], /rpId: expected a name such as "localhost"/],
  ['[::1]', ['http://[::1]:7263'], /rpId: expected a name/],
  ['', ['https://inbox.example'], /rpId: expected a name/],
  ['https://inbox.example', ['https://inbox.example'], /rpId: expected a name/],
  ['inbox.example', [], /origins: expected at least one page/],
  [
    'inbox.example',
    ['https://inbox.example', 'https://other.example'],
    /origins\[1\]: expected a page of inbox/,
  ],
  ['inbox.example', ['https://notinbox.example'], /origins\[0\]/],
  ['inbox.example', ['http://inbox.example'], /such as "https:\/\/inbox\.example"/],
  ['inbox.example', ['https://inbox.example/'], /origins\[0\]/],
  ['x', ['ftp://x'], /origins\[0\]/],
])('no browser has passkeys for %j on %j: that is refused', (rpId, origins, why) => {
  expect(() => openPasskeys({ rpId, origins, folder })).toThrow(why)
})

it.each([
  ['localhost', ['http://localhost:7263', 'https://localhost']],
  ['inbox.example', ['https://inbox.example:8443', 'https://team.inbox.example']],
])('browsers have passkeys for %j on %j', (rpId, origins) => {
  expect(openPasskeys({ rpId, origins, folder })).toMatchObject({ rpId, origins })
})
