import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { createHome } from '../command-process.ts'

it('passkeys env says when nobody has a passkey that the policy demands', async () => {
  const home = await createHome()
  const policy = join(await tempDir(), 'policy.json')
  const env = () => home.run('passkeys', 'env', '--policy', policy, '--url', 'http://localhost:7263')
  await writeFile(policy, JSON.stringify([{ for: { tools: ['Bash'] }, passkey: true }, {}]))
  const { code, stdout, stderr } = await env()
  expect([code, stdout]).toEqual([0, expect.stringContaining('export SANDAGENT_PASSKEYS=')])
  expect(stderr).toContain('No passkey is registered for localhost, so nobody can allow')
  await writeFile(policy, '[{}]')
  expect((await env()).stderr).toBe('')
})

it.each(['', ' '])('passkeys add makes no code for nobody: %j', async (name) => {
  const { code, stdout, stderr } = await (await createHome()).run('passkeys', 'add', '--name', name)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('--name takes a name')
})
