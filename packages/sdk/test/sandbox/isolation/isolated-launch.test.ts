import { existsSync } from 'node:fs'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished } from 'vitest'
import { isolatedLaunch } from '../../../src/sandbox/isolation/isolated-launch.ts'
import { parseLaunchRequest } from '../../../src/sandbox/isolation/launch-request.ts'
import { pathOutside } from '../../../src/sandbox/isolation/path-outside.ts'

const accessTo = (workdir: string) => ({
  workdir,
  stateFolder: '.state',
  readable: ['/srv/a'],
  hidden: ['/srv/b'],
  hosts: ['example.com'],
})

it('the launcher gets the whole request, and none of the program’s variables', async () => {
  const workdir = await tempDir()
  process.env.SANDAGENT_OWN = 'own'
  onTestFinished(() => void delete process.env.SANDAGENT_OWN)
  const env = { A: 'a', LANG: undefined, NO_COLOR: '1' }
  const launch = await isolatedLaunch('sh', ['-c', 'true'], { access: accessTo(workdir), env })
  expect(launch).toMatchObject({
    command: process.execPath,
    args: [expect.stringMatching(/dist\/launcher\/launcher\.js$/)],
    env: { PATH: pathOutside(), HOME: process.env.HOME },
  })
  expect(Object.keys(launch.env)).toEqual(['PATH', 'HOME'])
  const request = parseLaunchRequest(launch.request)
  expect(request).toMatchObject({ ...accessTo(workdir), command: 'sh', args: ['-c', 'true'] })
  expect(request.env).toMatchObject({
    A: 'a',
    NO_COLOR: '1',
    HOME: join(workdir, '.state/home'),
    PATH: process.env.PATH,
  })
  expect(request.env).not.toHaveProperty('LANG')
  expect(request.env).not.toHaveProperty('SANDAGENT_OWN')
  for (const name of ['approvals', 'runs', 'questions', 'home'])
    expect(existsSync(join(workdir, '.state', name))).toBe(true)
})

it('a program may have a HOME and a PATH of its own', async () => {
  const workdir = await tempDir()
  await mkdir(join(workdir, 'bin'))
  await writeFile(join(workdir, 'bin/tool'), '')
  await chmod(join(workdir, 'bin/tool'), 0o755)
  const env = { HOME: '/srv/home', PATH: 'bin' }
  const { request } = await isolatedLaunch('tool', [], { access: accessTo(workdir), env })
  expect(parseLaunchRequest(request).env).toMatchObject(env)
})

it('a program of a package may read the packages beside it', async () => {
  const [app, workdir] = [await tempDir(), await tempDir()]
  for (const bin of ['node_modules/.bin', 'node_modules/bin', 'modules/.bin']) {
    await mkdir(join(app, bin), { recursive: true })
    await symlink('/bin/sh', join(app, bin, 'tool'))
    const { request } = await isolatedLaunch(join(app, bin, 'tool'), [], { access: accessTo(workdir) })
    const packages = bin === 'node_modules/.bin' ? [join(app, 'node_modules')] : []
    expect(parseLaunchRequest(request).readable).toEqual(['/srv/a', ...packages])
  }
})

it('programs may read the packages above their workdir, where Node looks for imports', async () => {
  const project = await tempDir()
  const workdir = join(project, 'apps/agent/workdir')
  await mkdir(workdir, { recursive: true })
  for (const folder of ['node_modules', 'apps/agent/node_modules', 'apps/node_modules.old'])
    await mkdir(join(project, folder))
  const { request } = await isolatedLaunch('sh', [], { access: accessTo(workdir) })
  const { readable } = parseLaunchRequest(request)
  expect(readable.filter((path) => path.startsWith(project))).toEqual([
    join(project, 'apps/agent/node_modules'),
    join(project, 'node_modules'),
  ])
})

it('an unknown program is not found, and makes nothing', async () => {
  const workdir = await tempDir()
  await expect(isolatedLaunch('no-such-program', [], { access: accessTo(workdir) })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    cause: { code: 'ENOENT', message: 'spawn no-such-program ENOENT' },
  })
  expect(existsSync(join(workdir, '.state'))).toBe(false)
})

it('words that no system takes are refused, by their bytes', async () => {
  const access = accessTo(await tempDir())
  const longest = 'x'.repeat(128 * 1024 - 1)
  await isolatedLaunch('sh', ['', longest], { access })
  for (const [command, args] of [
    ['sh', ['a', `${longest}x`]],
    ['sh', ['ü'.repeat(64 * 1024)]],
    ['sh', ['a\0b', 'c']],
    ['s\0h', []],
  ] as const)
    await expect(isolatedLaunch(command, args, { access })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

it.each(['', '{', '{}', '{"command":"sh"}'])('the launcher takes no request such as %j', (text) => {
  expect(() => parseLaunchRequest(text)).toThrow(
    expect.objectContaining({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('This is nothing to launch'),
    }),
  )
})

it('programs may not read what a link above their workdir leads to, which the agent of a folder around it may have made', async () => {
  const [project, secrets] = [await tempDir(), await tempDir()]
  const workdir = join(project, 'apps/agent/workdir')
  await mkdir(workdir, { recursive: true })
  await symlink(secrets, join(project, 'apps/node_modules'))
  const { request } = await isolatedLaunch('sh', [], { access: accessTo(workdir) })
  expect(parseLaunchRequest(request).readable).toEqual(['/srv/a'])
})
