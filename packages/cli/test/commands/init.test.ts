import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, listQuestions } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { createHome } from '../command-process.ts'

const starts = fileURLToPath(new URL('../../../../examples/start/', import.meta.url))

/** A project with these files, in which `sandagent init` ran. */
async function initiated(args: string[], files: Record<string, string> = {}) {
  const folder = await tempDir()
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  const home = await createHome()
  const ended = await home.start(['init', ...args], { cwd: folder }).ended
  return { home, folder, ...ended, read: (name: string) => readFile(join(folder, name), 'utf8') }
}

const start = (name: string): Promise<string> => readFile(join(starts, name), 'utf8')

describe('sandagent init', () => {
  it('adds a program that asks, whose command then works', async () => {
    const { home, folder, code, stdout, stderr } = await initiated([])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [, install, command = ''] =
      /^added {3}agent\.mjs\n\nNext:\n {2}npm install (.*?) {2,}#.*\n {2}npx sandagent (.*)\n$/.exec(
        stdout,
      ) ?? []
    expect(install).toBe('@sandagent/runner sandagent')
    await mkdir(join(folder, 'node_modules/@sandagent'), { recursive: true })
    await symlink(join(starts, '../../packages/runner'), join(folder, 'node_modules/@sandagent/runner'))
    const run = home.start(command.split(' '), { cwd: folder })
    const sandbox = new LocalSandbox({ workdir: folder })
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
    expect((await home.run('answer', '--option', 'Staging')).code).toBe(0)
    expect((await run.ended).stdout).toContain('Staging')
  })

  it.each([
    ['python', 'py'],
    ['sh', 'sh'],
  ])('adds a program in %s beside what asks for it', async (kind, ending) => {
    const { code, stdout, read } = await initiated([kind], { 'agent.mjs': 'mine' })
    expect(code).toBe(0)
    expect(stdout).toContain(`added   ask.${ending}\nadded   agent.${ending}\n`)
    for (const name of [`ask.${ending}`, `agent.${ending}`])
      expect(await read(name)).toBe(await start(`${kind}/${name}`))
  })

  it('adds a server to a project with Express', async () => {
    const { stdout, read } = await initiated([], { 'package.json': '{"dependencies":{"express":"5"}}' })
    expect(stdout).toContain('added   workspace/agent.mjs\nadded   server.mjs\n')
    expect(stdout).toContain('npm install @sandagent/sdk @sandagent/runner sandagent ')
    expect(await read('server.mjs')).toBe(await start('express/server.mjs'))
    expect(await read('workspace/agent.mjs')).toBe(await start('express/workspace/agent.mjs'))
  })

  it('names only the packages that the project does not have', async () => {
    const installed = (names: string[]) => ({
      'package.json': JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '1'])) }),
    })
    const packages = ['@sandagent/sdk', '@sandagent/runner', 'sandagent']
    expect((await initiated(['express'], installed(packages))).stdout).toContain(
      'Next:\n  npm install express\n',
    )
    const all = await initiated(['express'], installed(['express', ...packages]))
    expect(all.stdout).toContain('Next:\n  node server.mjs\n')
  })

  it('adds routes and a page of its own to a project with Next.js, and leaves what is there', async () => {
    const { stdout, read } = await initiated([], {
      'package.json': '{"devDependencies":{"next":"16"}}',
      'src/app/page.tsx': 'mine',
      'src/app/layout.tsx': 'mine',
      'src/app/api/[...path]/route.ts': 'mine',
    })
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'added   workspace/agent.mjs',
      'exists  src/app/api/[...path]/route.ts',
      'exists  src/app/layout.tsx',
      'added   src/app/ask/page.jsx',
    ])
    expect(await read('src/app/page.tsx')).toBe('mine')
    expect(await read('src/app/ask/page.jsx')).toBe(await start('next/app/page.jsx'))
    expect(await read('src/app/api/[...path]/route.ts')).toBe('mine')
  })

  it('changes nothing the second time', async () => {
    const { home, folder, read } = await initiated(['next'])
    await writeFile(join(folder, 'app/page.jsx'), 'changed')
    const again = await home.start(['init', 'express'], { cwd: folder }).ended
    expect(again.stdout).toContain('exists  workspace/agent.mjs\nadded   server.mjs\n')
    expect(await read('app/page.jsx')).toBe('changed')
    expect(await read('app/api/[...path]/route.js')).toBe(await start('next/app/api/[...path]/route.js'))
  })

  it.each([
    [['nxt'], 2, 'init takes terminal, python, sh, express, next, not nxt. Did you mean next?'],
    [['next', 'express'], 2, 'One kind of project at a time'],
  ])('refuses %j', async (args, code, message) => {
    expect(await initiated(args)).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
  })

  it.each([
    ['next', 'app'],
    ['next', 'app/api'],
    ['next', 'app/api/[...path]'],
    ['express', 'workspace'],
  ])('adds nothing for %s if %s is a file, and says so', async (kind, path) => {
    const { folder, code, stdout, stderr } = await initiated([kind], { [path]: 'mine' })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      `sandagent: ${path} is a file, where the project needs a folder. Nothing was added. Move it, or choose another folder\n`,
    )
    expect(await readdir(folder)).toEqual([path.split('/')[0]])
  })

  it.each([
    ['next', 'app'],
    ['express', 'workspace'],
  ])('adds nothing for %s if %s is a link, which may lead out of the project', async (kind, path) => {
    const [folder, outside, home] = [await tempDir(), await tempDir(), await createHome()]
    await symlink(outside, join(folder, path))
    const { code, stdout, stderr } = await home.start(['init', kind], { cwd: folder }).ended
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`${path} is a link, where the project needs a folder`)
    expect(await readdir(outside)).toEqual([])
    expect(await readdir(folder)).toEqual([path])
  })

  it('says what is wrong with a package.json', async () => {
    const { code, stderr } = await initiated([], { 'package.json': '{' })
    expect([code, stderr]).toEqual([1, expect.stringContaining('package.json cannot be read')])
  })
})
