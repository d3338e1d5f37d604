import { existsSync, realpathSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import { codeFolders } from '../../../src/sandbox/isolation/code-folders.ts'
import { policyOf } from '../../../src/sandbox/isolation/policy.ts'

const literal = (path: string) => ({ path, literal: true })
const accessTo = (workdir: string) => ({
  workdir,
  stateFolder: '.state',
  readable: [],
  hidden: [],
  hosts: [],
})

it('a program writes to its workdir, and not to what decides or runs later', async () => {
  const workdir = await tempDir()
  const own = ['', '/.state', '/.state/questions', '/.state/home'].map((name) => literal(workdir + name))
  const closed = ['/.state/approvals', '/.state/attachments', '/.state/runs'].map((name) =>
    literal(workdir + name),
  )
  expect(policyOf(accessTo(workdir)).filesystem).toMatchObject({ allowWrite: own, denyWrite: closed })

  await mkdir(join(workdir, '.git/hooks'), { recursive: true })
  await writeFile(join(workdir, '.git/config'), '')
  expect(policyOf(accessTo(workdir), '/srv/temporary').filesystem).toMatchObject({
    allowWrite: [...own, literal(`${workdir}/.git`), literal('/srv/temporary')],
    denyWrite: [...closed, literal(`${workdir}/.git/hooks`), literal(`${workdir}/.git/config`)],
  })
})

it('a workdir around the code of the host does not open the code', () => {
  const code = codeFolders().map(literal)
  const { denyWrite } = policyOf(accessTo('/')).filesystem
  expect(denyWrite).toEqual(expect.arrayContaining(code))
})

it('a program reads what exists of the allowed files, and never what is hidden', async () => {
  const folder = await tempDir()
  await mkdir(join(folder, 'a'))
  await symlink('a', join(folder, 'link'))
  const paths = [join(folder, 'link'), join(folder, 'missing')]
  const { filesystem, credentials, network } = policyOf({
    ...accessTo(folder),
    readable: paths,
    hidden: paths,
    hosts: ['example.com'],
  })
  expect(filesystem.allowRead).toContainEqual(literal(join(folder, 'a')))
  for (const path of codeFolders()) expect(filesystem.allowRead).toContainEqual(literal(realpathSync(path)))
  expect(JSON.stringify(filesystem.allowRead)).not.toContain('missing')
  expect(credentials?.files).toContainEqual({ path: join(folder, 'a'), mode: 'deny' })
  expect(JSON.stringify(credentials)).not.toContain('missing')
  expect(network).toEqual({ allowedDomains: ['example.com'], deniedDomains: [] })
})

it.runIf(process.platform === 'linux')(
  'on Linux everything is hidden but the system without its secrets',
  async () => {
    const { denyRead, allowRead } = policyOf(accessTo(await tempDir())).filesystem
    expect(denyRead[0]).toBe('/')
    for (const secret of ['/etc/shadow', '/etc/gshadow', '/etc/sudoers', '/etc/ssl/private', '/etc/ssh'])
      expect(denyRead.includes(secret)).toBe(existsSync(secret))
    expect(allowRead).toContainEqual(literal('/usr'))
    expect(allowRead).toContainEqual(literal('/etc'))
  },
)

it.runIf(process.platform === 'linux')(
  'on Linux every folder of the system that exists is readable',
  async () => {
    const { denyRead, allowRead } = policyOf(accessTo(await tempDir())).filesystem
    const system = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/nix/store']
    for (const path of system.filter(existsSync))
      expect(allowRead).toContainEqual(literal(realpathSync(path)))
    const names = ['docker', 'kubernetes', 'krb5.keytab', 'letsencrypt', 'rancher', 'sudoers.d', 'wireguard']
    for (const secret of [...names, 'gshadow-', 'shadow-'].map((name) => `/etc/${name}`))
      expect(denyRead.includes(secret)).toBe(existsSync(secret))
    // What is hidden for ever is more than the root, and never a readable folder as a whole.
    for (const path of denyRead.slice(1)) expect(path).toMatch(/^\/(etc|usr\/local\/etc)\/./)
  },
)

it.runIf(process.platform === 'linux')('no other sandbox of this machine is reached', async () => {
  const home = await tempDir()
  const shared = [join(home, '.npm/_logs'), join(home, '.claude/debug')]
  for (const path of shared) await mkdir(path, { recursive: true })
  vi.stubEnv('HOME', home)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { credentials } = policyOf(accessTo(await tempDir()))
  const closed = ['/tmp/claude', '/private/tmp/claude'].filter(existsSync).map((path) => realpathSync(path))
  expect(credentials?.files).toEqual([...closed, ...shared].map((path) => ({ path, mode: 'deny' })))
})

it('on macOS the folders of users are hidden, and what is writable can be read there', async () => {
  const own = process.platform
  Object.defineProperty(process, 'platform', { value: 'darwin' })
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: own }))
  const workdir = await tempDir()
  const given = await tempDir()
  for (const name of ['questions', 'home']) await mkdir(join(workdir, '.state', name), { recursive: true })
  const { denyRead, allowRead } = policyOf({ ...accessTo(workdir), readable: [given] }).filesystem
  expect(denyRead).toEqual([
    '/Users',
    '/Volumes',
    '/private/tmp',
    '/private/var/folders',
    '/private/var/root',
  ])
  const writable = ['', '/.state', '/.state/questions', '/.state/home'].map((name) => workdir + name)
  const code = codeFolders().map((path) => realpathSync(path))
  expect(allowRead).toEqual([...writable, ...code, given].map(literal))
})
