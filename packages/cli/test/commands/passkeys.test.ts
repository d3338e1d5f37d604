import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSoftPasskey } from '@sandagent/fixtures/soft-passkey.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { openPasskeys } from '@sandagent/passkeys'
import { expect, it } from 'vitest'
import { createHome } from '../command-process.ts'

it('passkeys env says when nobody has a passkey that the policy demands', async () => {
  const home = await createHome()
  const policy = join(await tempDir(), 'policy.json')
  const env = () => home.run('passkeys', 'env', '--policy', policy, '--url', 'http://localhost:7263')
  await writeFile(policy, JSON.stringify([{ for: { tools: ['Bash'] }, passkey: true }, {}]))
  const { code, stdout, stderr } = await env()
  expect([code, stdout]).toEqual([0, expect.stringContaining('export SANDAGENT_PASSKEYS=')])
  expect(stderr).toContain('1 more person must register one for localhost first')
  await writeFile(policy, '[{}]')
  expect((await env()).stderr).toBe('')
})

it.each(['', ' '])('passkeys add makes no code for nobody: %j', async (name) => {
  const { code, stdout, stderr } = await (await createHome()).run('passkeys', 'add', '--name', name)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('--name takes a name')
})

it('passkeys env says when too few of those who may sign have a passkey', async () => {
  const home = await createHome()
  const site = { rpId: 'localhost', origins: ['http://localhost:7263'] }
  const passkeys = openPasskeys({
    ...site,
    folder: join(home.env.XDG_CONFIG_HOME ?? '', 'sandagent', 'passkeys'),
  })
  const { challenge } = await passkeys.begin('Ada')
  const changes = { rpId: site.rpId, origin: 'http://localhost:7263' }
  const response = createSoftPasskey('Ada').register(challenge, changes)
  const code = await passkeys.newCode('Ada')
  await passkeys.register('Ada', { challenge, code, name: '', response })
  const policy = join(await tempDir(), 'policy.json')
  const said = async (rule: object) => {
    await writeFile(policy, JSON.stringify([{ for: { tools: ['Bash'] }, passkey: true, ...rule }, {}]))
    const { stdout, stderr } = await home.run('passkeys', 'env', '--policy', policy, '--url', changes.origin)
    expect(stdout).toContain('export SANDAGENT_PASSKEYS=')
    return stderr
  }
  expect(await said({})).toBe('')
  expect(await said({ votes: 3 })).toContain('2 more people must register one for localhost first')
  expect(await said({ people: ['Bob'] })).toContain('1 more person must register')
})

it.each([
  ['http://127.0.0.1:7263', 'a name such as "localhost"'],
  ['http://inbox.example', 'such as "https://inbox.example"'],
  ['ftp://x', 'a page of x'],
])('passkeys env prints nothing for a page on which browsers have no passkeys: %s', async (url, why) => {
  const policy = join(await tempDir(), 'policy.json')
  await writeFile(policy, '[{}]')
  const { code, stdout, stderr } = await (await createHome()).run(
    ...['passkeys', 'env', '--policy', policy, '--url', url],
  )
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(`Browsers have no passkeys at ${url}. Give --url with`)
  expect(stderr).toContain(why)
})
