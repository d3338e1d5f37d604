import { chmod, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canBeOther } from '@sandagent/fixtures/other-user.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { AgentUser } from '../../../src/sandbox/agent-user/agent-user.ts'
import { findProgram } from '../../../src/sandbox/isolation/find-program.ts'

/** Looks as a process does that has not looked before. */
async function probe(user?: AgentUser): Promise<string | null> {
  vi.resetModules()
  const { probeIsolation } = await import('../../../src/sandbox/isolation/probe.ts')
  return probeIsolation(user)
}

function withValue<T extends object, K extends keyof T>(place: T, name: K, value: T[K]): void {
  const own = Object.getOwnPropertyDescriptor(place, name)
  Object.defineProperty(place, name, { ...own, value })
  onTestFinished(() => void (own ? Object.defineProperty(place, name, own) : delete place[name]))
}

const onSystem = (platform: NodeJS.Platform): void => withValue(process, 'platform', platform)

/** A folder of programs, as the only one on the `PATH`. Each is a shell script. */
async function onlyPrograms(scripts: Record<string, string>): Promise<void> {
  const folder = await tempDir()
  await chmod(folder, 0o755)
  for (const name of ['sh', 'cat', 'id', 'true', 'which'])
    await symlink(
      (await findProgram(name, { path: process.env.PATH, folder: '/' })) as string,
      join(folder, name),
    )
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
    await chmod(join(folder, name), 0o755)
  }
  withEnv('PATH', folder)
}

/** Sets a variable for a test. */
function withEnv(name: string, value: string): string {
  const own = process.env[name]
  onTestFinished(() => {
    if (own === undefined) delete process.env[name]
    else process.env[name] = own
  })
  process.env[name] = value
  return value
}

/** The programs for a sandbox of Linux, where the one that makes it does this. */
const bwrapThat = (script: string) => onlyPrograms({ bwrap: script, socat: '', rg: '' })

/** A place for temporary files, which all users can enter. */
async function temporary(): Promise<string> {
  const folder = await tempDir()
  await chmod(folder, 0o755)
  return withEnv('TMPDIR', folder)
}

it('each missing program is named by its package, with how to install it', async () => {
  onSystem('linux')
  await onlyPrograms({ socat: '' })
  expect(await probe()).toBe(
    'bubblewrap, ripgrep missing (apt-get install bubblewrap ripgrep, or dnf, or pacman -S)',
  )
  onSystem('darwin')
  expect(await probe()).toBe('ripgrep missing (brew install ripgrep)')
})

it('another system has no sandbox', async () => {
  onSystem('win32')
  expect(await probe()).toBe('there is no sandbox for win32')
})

it('each user is looked at once', async () => {
  onSystem('linux')
  await onlyPrograms({})
  vi.resetModules()
  const { probeIsolation } = await import('../../../src/sandbox/isolation/probe.ts')
  const agent = { name: 'a', uid: 1234, gid: 1234 }
  const found = probeIsolation()
  expect(probeIsolation()).toBe(found)
  expect(probeIsolation(agent)).not.toBe(found)
  expect(probeIsolation({ ...agent, name: 'b' })).toBe(probeIsolation(agent))
  await Promise.all([found, probeIsolation(agent)])
})

it('without Node, the reason says that Node is needed', async () => {
  onSystem('linux')
  await bwrapThat('')
  withValue(process, 'versions', { ...process.versions, deno: '2.0.0' })
  expect(await probe()).toMatch(/^Node starts what is isolated/)
})

it.runIf(process.platform === 'linux')(
  'a sandbox that can be made is tried out without a trace',
  async () => {
    await bwrapThat('exit 0')
    const folder = await temporary()
    expect(await probe()).toBeNull()
    expect(await readdir(folder)).toEqual([])
  },
)

it.runIf(process.platform === 'linux')('the reason is the last line for people', async () => {
  const said = String.raw`first\n  \033[31mbwrap: no [$SANDAGENT_SECRET] \033[0m \n    at Object.run (x.js:1:2)\n}\n\n`
  await bwrapThat(`printf '%b' "${said}" >&2; exit 1`)
  const folder = await temporary()
  withEnv('SANDAGENT_SECRET', 'a secret')
  expect(await probe()).toBe(
    'bwrap: no [] (it needs user namespaces: containers and Ubuntu switch them off, see docs/guides/isolation.md)',
  )
  expect(await readdir(folder)).toEqual([])
})

it.runIf(process.platform === 'linux')(
  'without a word of the sandbox the reason is its exit code',
  async () => {
    await bwrapThat('exit 9')
    expect(await probe()).toMatch(/^the launcher ended by exit code 9 \(it needs user namespaces/)
  },
)

it.runIf(canBeOther)('it is tried out as the other user, in a workdir for that user', async () => {
  await bwrapThat('echo "user $(id -u) of $(id -g)" >&2; exit 1')
  await temporary()
  expect(await probe({ name: 'agent', uid: 65_534, gid: 65_533 })).toMatch(/^user 65534 of 65533 \(/)
})

it.runIf(canBeOther)('it fails where the other user could not enter the workdir', async () => {
  await bwrapThat('exit 0')
  await chmod(await temporary(), 0o700)
  const user = { name: 'agent', uid: 65_534, gid: 65_533 }
  await expect(probe(user)).rejects.toMatchObject({ code: 'UNSAFE_PATH' })
})
