import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSigningKey, loadSigningKeys, parseSigningKeys } from '../../src/index.ts'
import { signingKeyPath } from '../../src/sandbox/host-config.ts'
import { refusalOf } from '../support/temp-sandbox.ts'

let config: string
beforeEach(async () => {
  config = await mkdtemp(join(tmpdir(), 'sandagent-keys-'))
  vi.stubEnv('XDG_CONFIG_HOME', config)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await rm(config, { recursive: true })
  })
})

const kidsOf = async (keys: ReturnType<typeof loadSigningKeys>): Promise<unknown[] | undefined> =>
  (await keys)?.publicKeys.keys.map(({ kid }) => kid)

const writeKey = async (text: string, mode = 0o600): Promise<void> => {
  await mkdir(dirname(signingKeyPath()), { recursive: true })
  await writeFile(signingKeyPath(), text, { mode })
}

describe('loadSigningKeys', () => {
  it('has none where none was made, and makes none by itself', async () => {
    expect(await loadSigningKeys()).toBeNull()
    expect(await readdir(config)).toEqual([])
  })

  it('makes a key for this user alone, which is the same from then on', async () => {
    const made = await kidsOf(loadSigningKeys({ create: true }))
    expect((await stat(signingKeyPath())).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(signingKeyPath()))).mode & 0o777).toBe(0o700)
    expect(await kidsOf(loadSigningKeys())).toEqual(made)
    expect(await kidsOf(loadSigningKeys({ create: true }))).toEqual(made)
  })

  it('makes one key, however many ask at once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => kidsOf(loadSigningKeys({ create: true }))))
    expect(new Set(all.flat()).size).toBe(1)
    expect(await readdir(dirname(signingKeyPath()))).toEqual(['signing-key.json'])
  })

  it('takes the key of the environment before that of the file', async () => {
    await loadSigningKeys({ create: true })
    const key = await createSigningKey()
    vi.stubEnv('SANDAGENT_SIGNING_KEY', key)
    expect(await kidsOf(loadSigningKeys())).toEqual([JSON.parse(key).kid])
  })

  it('keeps a hidden key of the environment, which no program inherits', async () => {
    const key = await createSigningKey()
    vi.stubEnv('SANDAGENT_SIGNING_KEY', key)
    vi.resetModules()
    // The files of this project share their modules: the others must not find the key.
    onTestFinished(() => {
      vi.resetModules()
    })
    const { hideSigningKey } = await import('../../src/sandbox/host-config.ts')
    const { loadSigningKeys } = await import('../../src/signing/load-signing-keys.ts')
    hideSigningKey()
    hideSigningKey()
    expect(process.env).not.toHaveProperty('SANDAGENT_SIGNING_KEY')
    expect(await kidsOf(loadSigningKeys())).toEqual([JSON.parse(key).kid])
  })

  it('notices new keys without a restart', async () => {
    await loadSigningKeys({ create: true })
    const [next, old] = [JSON.parse(await createSigningKey()), JSON.parse(await createSigningKey())]
    await writeKey(JSON.stringify({ keys: [next, old] }))
    expect(await kidsOf(loadSigningKeys())).toEqual([next.kid, old.kid])
  })

  it.skipIf(process.platform === 'win32').each([0o640, 0o604, 0o660])(
    'refuses a file that others can read: mode %o',
    async (mode) => {
      await loadSigningKeys({ create: true })
      await chmod(signingKeyPath(), mode)
      expect(await refusalOf(loadSigningKeys())).toMatchObject({ code: 'UNSAFE_PATH' })
    },
  )

  it('refuses a file inside the sandbox, also by way of a link', async () => {
    const sandbox = join(config, 'workdir')
    await mkdir(sandbox)
    vi.stubEnv('XDG_CONFIG_HOME', sandbox)
    expect(await refusalOf(loadSigningKeys({ create: true, outside: sandbox }))).toMatchObject({
      code: 'UNSAFE_PATH',
    })
    vi.stubEnv('XDG_CONFIG_HOME', join(config, 'elsewhere'))
    await symlink(sandbox, join(config, 'elsewhere'))
    expect(await refusalOf(loadSigningKeys({ outside: sandbox }))).toMatchObject({ code: 'UNSAFE_PATH' })
    expect(await loadSigningKeys({ outside: join(config, 'other') })).not.toBeNull()
  })

  it('is not where a relative path would lead', () => {
    vi.stubEnv('XDG_CONFIG_HOME', 'config')
    expect(isAbsolute(signingKeyPath())).toBe(true)
    expect(signingKeyPath()).not.toContain(process.cwd())
  })

  it('says how to go on when no key can be kept', async () => {
    await writeFile(join(config, 'file'), '')
    vi.stubEnv('XDG_CONFIG_HOME', join(config, 'file'))
    const error = await refusalOf(loadSigningKeys({ create: true }))
    expect(error).toMatchObject({ code: 'NO_SIGNING_KEY' })
    expect(error.message).toContain('SANDAGENT_SIGNING_KEY')
  })
})

describe('parseSigningKeys', () => {
  it.each([
    ['nothing', ''],
    ['no JSON', 'secret'],
    ['no keys', '{"keys":[]}'],
    ['a public key', '{"kty":"OKP","crv":"Ed25519","x":"secret"}'],
    ['a key of another kind', '{"kty":"oct","k":"secret"}'],
    ['numbers that are no key', '{"kty":"OKP","crv":"Ed25519","x":"secret","d":"secret"}'],
  ])('refuses %s, and does not repeat it', async (_, text) => {
    const error = await refusalOf(parseSigningKeys(text))
    expect(error.code).toBe('INVALID_FILE')
    expect(error.message).not.toContain('secret')
  })

  it.each(['', 'é', 'A'.repeat(43)])(
    'refuses a key with the public number %j of no or another key',
    async (x) => {
      const { kid: _, ...key } = JSON.parse(await createSigningKey())
      const error = await refusalOf(parseSigningKeys(JSON.stringify({ ...key, x })))
      expect(error).toMatchObject({ code: 'INVALID_FILE', message: expect.stringMatching(/no Ed25519 key/) })
    },
  )

  it('shows the public parts alone', async () => {
    const key = JSON.parse(await createSigningKey())
    const { publicKeys } = await parseSigningKeys(JSON.stringify(key))
    expect(publicKeys.keys).toEqual([{ kty: 'OKP', crv: 'Ed25519', x: key.x, kid: key.kid, alg: 'Ed25519' }])
    expect(JSON.stringify(publicKeys)).not.toContain(key.d)
  })
})
