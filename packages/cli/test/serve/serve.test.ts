import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@sandagent/fixtures/listen.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import { serve } from '../../src/commands/serve/serve.ts'
import { createFakeTerminal } from '../fake-terminal.ts'

it('a server that fails once it listens gives its port back, and lets its process end', async () => {
  vi.stubEnv('XDG_CONFIG_HOME', await tempDir())
  onTestFinished(() => void vi.unstubAllEnvs())
  const { io } = createFakeTerminal({ isTTY: false })
  const port = await freePort()
  io.stdout.write = () => {
    throw new Error('Nobody reads this')
  }
  const ended = serve(['--port', String(port), '--workdir', await tempDir()], io)
  await expect(ended).rejects.toThrow('Nobody reads this')
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  expect(io.stdin.isPaused()).toBe(true)
})

it.each([
  [
    '127.0.0.1',
    /Browsers have no passkeys at an address of digits: start sandagent serve with --host localhost/,
  ],
  ['localhost', /^$/],
])(
  'a policy that demands passkeys is served at %s: a warning says where nobody could sign',
  async (host, said) => {
    vi.stubEnv('XDG_CONFIG_HOME', await tempDir())
    onTestFinished(() => void vi.unstubAllEnvs())
    const policy = join(await tempDir(), 'policy.json')
    await writeFile(policy, JSON.stringify([{ for: { tools: ['Bash'] }, passkey: true }, {}]))
    const { io, at, errors } = createFakeTerminal({ isTTY: false })
    const words = ['--host', host, '--port', '0', '--policy', policy, '--workdir', await tempDir()]
    const ended = serve(words, io)
    await at(`http://${host}:`)
    expect(errors()).toMatch(said)
    io.interrupt('SIGTERM')
    await ended
  },
)
