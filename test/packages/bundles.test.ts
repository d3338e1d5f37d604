import { spawnSync } from 'node:child_process'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { execute } from '../support/packed-project.ts'

const cli = join(root, 'packages/cli')

const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})}\n`

/** A folder with the files of the published command, and no package beside it. */
async function commandAlone(): Promise<string> {
  const folder = await tempDir()
  await cp(join(cli, 'dist'), join(folder, 'dist'), { recursive: true })
  await cp(join(cli, 'package.json'), join(folder, 'package.json'))
  return folder
}

describe('the bundled command', () => {
  it('runs an agent with no package installed', async () => {
    const folder = await commandAlone()
    const steps = [{ say: 'Hello' }, { run: { command: 'echo', args: ['there'] } }, { say: '{{output}}' }]
    await writeFile(join(folder, 'scenario.json'), JSON.stringify({ steps }))
    const args = ['dist/main.js', 'run', '--scenario', 'scenario.json', '--workdir', 'work', '--', 'x']
    const stream = await execute(process.execPath, args, folder)
    expect(stream).toContain('"delta":"Hello"')
    expect(stream).toContain('"delta":"there"')
    expect(stream).toMatch(/\[DONE\]\n\n$/)
  })

  it('tells its version on the command line and over MCP', async () => {
    const cwd = await commandAlone()
    const { version } = JSON.parse(await readFile(join(cli, 'package.json'), 'utf8'))
    expect(await execute(process.execPath, ['dist/main.js', '--version'], cwd)).toBe(`${version}\n`)
    const { stdout } = spawnSync(process.execPath, ['dist/main.js', 'mcp'], {
      cwd,
      input: INITIALIZE,
      encoding: 'utf8',
    })
    expect(JSON.parse(stdout).result.serverInfo).toEqual({ name: 'sandagent', version })
  })

  it('loads no command for --version', async () => {
    const folder = await commandAlone()
    const chunks = join(folder, 'dist/chunks')
    const ofCommands = (await readdir(chunks)).filter((name) =>
      /^(run|mcp|terminal|execa|verified)-.*js$/.test(name),
    )
    expect(ofCommands.length).toBeGreaterThanOrEqual(5)
    for (const name of ofCommands) await writeFile(join(chunks, name), 'throw new Error("loaded")')
    await execute(process.execPath, ['dist/main.js', '--version'], folder)
  })

  it('loads the form of the terminal only to show it', async () => {
    const cwd = await commandAlone()
    await writeFile(join(cwd, 'dist/form.mjs'), 'throw new Error("loaded")')
    await writeFile(join(cwd, 'scenario.json'), JSON.stringify({ steps: [{ say: 'Hello' }] }))
    const run = ['run', '--format', 'text', '--scenario', 'scenario.json', '--workdir', 'work', '--', 'x']
    expect(await execute(process.execPath, ['dist/main.js', ...run], cwd)).toContain('Hello')
    const mcp = spawnSync(process.execPath, ['dist/main.js', 'mcp'], {
      cwd,
      input: INITIALIZE,
      encoding: 'utf8',
    })
    expect([mcp.stderr, mcp.status]).toEqual(['', 0])
  })

  it('answers an MCP client before it loads what reads and writes files', async () => {
    const cwd = await commandAlone()
    const chunks = join(cwd, 'dist/chunks')
    const [name = ''] = (await readdir(chunks)).filter((file) => /^runner-channel-.*js$/.test(file))
    await writeFile(join(chunks, name), 'throw new Error("loaded")')
    // A shell puts so short a text into the pipe before it starts the program.
    const script = `exec "$0" dist/main.js mcp --workdir work <<'END'\n${INITIALIZE}END\n`
    const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', script, process.execPath], {
      cwd,
      encoding: 'utf8',
    })
    expect(JSON.parse(stdout).result.serverInfo.name).toBe('sandagent')
    expect({ stderr, status }).toEqual({ stderr: 'sandagent: loaded\n', status: 1 })
  })
})

it.each(['packages/cli/dist', 'packages/sdk/dist/launcher'])(
  'the licences of all bundled packages are in %s',
  async (folder) => {
    const names = new Set<string>()
    for (const path of await readdir(join(root, folder), { recursive: true })) {
      if (!path.endsWith('.js.map') || path.startsWith('launcher/')) continue
      const { sources } = JSON.parse(await readFile(join(root, folder, path), 'utf8'))
      for (const source of sources) {
        const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1]
        if (name !== undefined) names.add(name)
      }
    }
    expect(names).toContain('valibot')
    const licences = await readFile(join(root, folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
    for (const name of names) expect(licences).toMatch(new RegExp(`^${name} \\d.*\\(.+\\)$`, 'm'))
  },
)

describe('the one file of a remote sandbox', () => {
  const oneFile = join(root, 'packages/remote/dist/upload/sandagent.cjs')

  it('has at most 460 kB', async () => {
    expect((await readFile(oneFile)).length).toBeLessThanOrEqual(460_000)
  })

  it('runs an agent with nothing beside it, and tells the version of the command', async () => {
    const folder = await tempDir()
    await cp(oneFile, join(folder, 'sandagent.cjs'))
    await writeFile(join(folder, 'scenario.json'), JSON.stringify({ steps: [{ say: 'Hello' }] }))
    const args = ['run', '--scenario', 'scenario.json', '--workdir', 'work', '--', 'x']
    expect(await execute(process.execPath, ['sandagent.cjs', ...args], folder)).toContain('"delta":"Hello"')
    const { version } = JSON.parse(await readFile(join(cli, 'package.json'), 'utf8'))
    expect(await execute(process.execPath, ['sandagent.cjs', '--version'], folder)).toBe(`${version}\n`)
  })

  it('has no log, and runs where one is wanted', async () => {
    const env = { ...process.env, SANDAGENT_LOG: 'debug' }
    const { status, stderr } = spawnSync(process.execPath, [oneFile, '--version'], { env, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })

  it('says what it leaves out', async () => {
    const folder = await tempDir()
    const { status, stderr } = spawnSync(process.execPath, [oneFile, 'mcp'], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([1, 'sandagent: This needs the whole command: npm install sandagent\n'])
  })
})
