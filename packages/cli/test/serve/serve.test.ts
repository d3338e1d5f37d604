import { existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, Server } from 'node:http'
import { join } from 'node:path'
import { freePort } from '@sandagent/fixtures/listen.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import { serve } from '../../src/commands/serve/serve.ts'
import { listen } from '../../src/serve/listen.ts'
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

it.runIf(existsSync('/proc/self/fd'))('a server that cannot be closed closes its audit log', async () => {
  vi.stubEnv('XDG_CONFIG_HOME', await tempDir())
  onTestFinished(() => void vi.unstubAllEnvs())
  const { io, at } = createFakeTerminal({ isTTY: false })
  const [audit, port] = [await tempDir(), await freePort()]
  const words = ['--port', String(port), '--workdir', await tempDir(), '--audit', audit]
  const ended = expect(serve(words, io)).rejects.toThrow('It stays open')
  await at('/login?link=')
  const open = () =>
    readdirSync('/proc/self/fd').filter((fd) => linkOf(`/proc/self/fd/${fd}`).startsWith(realpathSync(audit)))
  await fetch(`http://127.0.0.1:${port}/api/inbox/answer?sandbox=none&toolCallId=c`)
  expect(open()).toHaveLength(1)
  const closing = vi.spyOn(Server.prototype, 'closeAllConnections').mockImplementationOnce(() => {
    throw new Error('It stays open')
  })
  io.interrupt('SIGTERM')
  await ended
  expect(closing).toHaveBeenCalledOnce()
  closing.mockRestore()
  expect(open()).toEqual([])
})

/** Where an open file is; an empty text for one that is closed by now. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

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

it.each([
  ['keeps to its port, which runs name, under a policy that demands passkeys', false, 'has the port 7263'],
  ['moves to the next port otherwise', true, undefined],
])('an inbox %s', async (_, mayMove, refused) => {
  const taken = createServer()
  // If another program has the port already, it is taken too.
  await new Promise((resolve) =>
    taken.once('listening', resolve).once('error', resolve).listen(7263, 'localhost'),
  )
  onTestFinished(() => void taken.close())
  const listening = listen({ host: 'localhost', port: undefined, tls: undefined, mayMove })
  if (refused) return expect(listening).rejects.toThrow(refused)
  const { port, close } = await listening
  await close()
  expect(port).toBeGreaterThan(7263)
})
