import { existsSync, realpathSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
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
  const closed = ['/.state/approvals', '/.state/runs'].map((name) => literal(workdir + name))
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
