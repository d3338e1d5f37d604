import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished } from 'vitest'
import { root } from '../../scripts/run.mjs'

/** A port of loopback that is taken until the test ends. */
async function takenPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return String((server.address() as AddressInfo).port)
}

/** Runs a program until it ends. */
async function endOf(program: string, args: string[], PORT: string) {
  const options = { cwd: await tempDir(), env: { ...process.env, PORT } }
  const child = execFile(process.execPath, [join(root, program), ...args], options)
  onTestFinished(() => void child.kill())
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (text) => {
      printed[name] += text
    })
  const [code] = await once(child, 'close')
  return { code, ...printed }
}

it.each([
  'start/express/server.mjs',
  'answers.mjs',
  'answer-links/host.mjs',
  'dialects/agentrail.mjs',
  'mcp/server.mjs',
  'user-choice/runtime.mjs',
  'user-choice/tool.mjs',
])('examples/%s says that its port is taken, and ends', async (name) => {
  const port = await takenPort()
  const { code, stdout, stderr } = await endOf(`examples/${name}`, [], port)
  expect(stderr).toContain(`address already in use 127.0.0.1:${port}`)
  expect(stdout).toBe('')
  expect(code).toBe(1)
})

it('sandagent serve says that its port is taken, and what to do', async () => {
  const port = await takenPort()
  const { code, stderr } = await endOf('packages/cli/dist/main.js', ['serve', '--port', port], port)
  expect(stderr).toContain(`Another program has the port ${port}. Choose a free one by --port`)
  expect(code).toBe(2)
})
