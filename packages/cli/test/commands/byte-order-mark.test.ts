import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, listQuestions } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { createHome } from '../command-process.ts'

/** Editors and shells of Windows write it before a text. */
const MARK = '\uFEFF'

/** Writes JSON with the mark into a file of a folder. */
async function marked(folder: string, name: string, value: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, MARK + JSON.stringify(value))
  return path
}

const ask = { questions: [{ question: 'Where to?', options: [{ label: 'Staging' }] }] }

const isAsked = (folder: string): Promise<void> =>
  vi.waitFor(async () => expect(await listQuestions(new LocalSandbox({ workdir: folder }))).toHaveLength(1))

describe('the mark of the byte order is no part of', () => {
  it('a scenario, nor of an answer on standard input', async () => {
    const [home, folder] = [await createHome(), await tempDir()]
    const scenario = await marked(folder, 'scenario.json', { steps: [{ ask }] })
    const run = home.start(['run', '--scenario', scenario, '--workdir', folder, '--', 'x'])
    await isAsked(folder)
    const answer = home.start(['answer', '--workdir', folder, '--json', '-'])
    answer.child.stdin.end(`${MARK}{"responses":{"q1":{"selected":["Staging"]}}}`)
    expect(await answer.ended).toMatchObject({ code: 0 })
    expect((await run.ended).code).toBe(0)
  })

  it('the first line of an agent', async () => {
    const [home, folder] = [await createHome(), await tempDir()]
    const line = JSON.stringify({ type: 'ask', ...ask })
    await writeFile(
      join(folder, 'agent.mjs'),
      `console.log(${JSON.stringify(MARK + line)}); process.stdin.once('data', () => process.exit())`,
    )
    const run = home.start([
      'run',
      '--agent',
      'command',
      '--workdir',
      folder,
      '--',
      process.execPath,
      'agent.mjs',
    ])
    await isAsked(folder)
    expect((await home.run('answer', '--workdir', folder, '--option', 'Staging')).code).toBe(0)
    expect((await run.ended).code).toBe(0)
  })

  it('the first message of an MCP client', async () => {
    const home = await createHome()
    const { child, stdout, ended } = home.start(['mcp', '--workdir', await tempDir()])
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    }
    const [first, ...rest] = Buffer.from(
      `${MARK}${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`,
    )
    child.stdin.write(Buffer.from([first ?? 0]))
    child.stdin.write(Buffer.from(rest))
    await vi.waitFor(() => expect(stdout()).toContain('"serverInfo"'))
    child.stdin.end()
    expect((await ended).code).toBe(0)
  })

  it('a policy, nor of the settings of notices', async () => {
    const [home, folder] = [await createHome(), await tempDir()]
    const policy = await marked(folder, 'policy.json', [{ votes: 2 }])
    const people = { Ada: { addresses: { screen: true } } }
    const notices = await marked(folder, 'notices.json', { people, sinks: { screen: { type: 'desktop' } } })
    const files = ['--policy', policy, '--notices', notices, '--name', 'Ada']
    const server = home.start(['serve', '--workdir', folder, '--port', '0', ...files])
    await vi.waitFor(() => expect(server.stdout()).toContain('Notices are sent as'))
    server.child.kill('SIGTERM')
    await server.ended
  })

  it('the package.json that init looks at', async () => {
    const [home, folder] = [await createHome(), await tempDir()]
    await marked(folder, 'package.json', { dependencies: { express: '5' } })
    expect((await home.start(['init'], { cwd: folder }).ended).stdout).toContain('added   server.mjs\n')
    expect(await readFile(join(folder, 'package.json'), 'utf8')).toContain(MARK)
  })
})
