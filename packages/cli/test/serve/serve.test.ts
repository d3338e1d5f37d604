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
