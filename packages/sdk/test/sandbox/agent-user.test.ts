import { spawnSync } from 'node:child_process'
import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { canBeOther, OTHER_USER } from '@sandagent/fixtures/other-user.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { type IsolationLevel, LocalSandbox } from '../../src/index.ts'
import { canIsolate } from '../support/isolated.ts'

const SDK = new URL('../../dist/index.js', import.meta.url).href
const hasUserNamespaces = spawnSync('unshare', ['--user', '--map-root-user', 'true']).status === 0

async function sandboxOf(agentUser: string, isolation: IsolationLevel = 'none'): Promise<LocalSandbox> {
  const folder = await tempDir()
  chmodSync(folder, 0o755)
  return new LocalSandbox({ workdir: join(folder, 'workdir'), agentUser, isolation, onIsolation: () => {} })
}

describe.runIf(canBeOther)('a sandbox whose programs are of another user', () => {
  it('takes a user by name or by numbers', async () => {
    for (const [user, level] of [
      ['daemon', 'none'],
      [OTHER_USER, 'none'],
    ] as const)
      expect(await (await sandboxOf(user)).activeIsolation()).toMatchObject({ agentUser: user, level })
  })

  it('gives the workdir and its own folders to the user, and no folder that decides', async () => {
    const { workdir } = await sandboxOf('1234:1235')
    const ownerOf = (path: string) => {
      const { uid, gid, mode } = statSync(join(workdir, path))
      return [uid, gid, (mode & 0o7777).toString(8)]
    }
    expect(ownerOf('.')).toEqual([0, 1235, '1770'])
    for (const path of ['.sandagent', '.sandagent/approvals']) expect(ownerOf(path)).toEqual([0, 1235, '750'])
    expect(ownerOf('.sandagent/runs')).toEqual([0, 1235, '700'])
    expect(ownerOf('.sandagent/questions').slice(0, 2)).toEqual([1234, 1235])
  })

  it.each([
    ['nobody-has-this-name', 'NOT_FOUND'],
    ['--help', 'NOT_FOUND'],
    ['root', 'INVALID_REQUEST'],
    ['0:0', 'INVALID_REQUEST'],
    ['1000:0', 'INVALID_REQUEST'],
  ])('refuses %s', async (user, code) => {
    await expect(sandboxOf(user)).rejects.toMatchObject({ code })
  })

  it('is refused to a host that is not root', async () => {
    const folder = await tempDir()
    process.seteuid?.('daemon')
    try {
      expect(() => new LocalSandbox({ workdir: folder, agentUser: OTHER_USER })).toThrow('Only root on Linux')
    } finally {
      process.seteuid?.(0)
    }
  })

  it.runIf(hasUserNamespaces)('is refused in a container that does not have the user', async () => {
    const folder = await tempDir()
    chmodSync(folder, 0o755)
    const script = `import { LocalSandbox } from ${JSON.stringify(SDK)}
try {
  new LocalSandbox({ workdir: ${JSON.stringify(join(folder, 'workdir'))}, agentUser: '${OTHER_USER}' })
} catch ({ code, message }) {
  console.log(code, message)
}`
    const options = { encoding: 'utf8' } as const
    const node = [process.execPath, '--input-type=module', '-e', script]
    const { stdout } = spawnSync('unshare', ['--user', '--map-root-user', ...node], options)
    expect(stdout).toMatch(/^ISOLATION_UNAVAILABLE Root cannot give files to another user here: E[A-Z]+/)
  })

  it('is refused where the user cannot enter the workdir', async () => {
    const workdir = join(await tempDir(), 'workdir')
    expect(() => new LocalSandbox({ workdir, agentUser: OTHER_USER })).toThrow('cannot enter it')
  })

  it.runIf(canIsolate)('isolates these programs, too', async () => {
    const sandbox = await sandboxOf(OTHER_USER, 'strict')
    expect(await sandbox.activeIsolation()).toMatchObject({ agentUser: OTHER_USER, level: 'strict' })
    const script = 'id -u; touch own; touch .sandagent/approvals/forged; mv .sandagent other'
    const child = await sandbox.spawn('sh', ['-c', script])
    child.stdin.end()
    const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(printed).toBe('65534\n')
    expect(complaints.trim().split('\n')).toHaveLength(2)
    expect(await sandbox.files.list('.')).toEqual(expect.arrayContaining(['own', '.sandagent']))
    expect(await sandbox.files.list('.sandagent/approvals')).toEqual([])
  })
})
