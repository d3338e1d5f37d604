import { spawnSync } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandSandbox } from '@sandagent/remote'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type Place, sandboxCases, storeCases } from '../support/remote/contracts.ts'
import { hasSshServer, startSshServer } from '../support/remote/ssh-server.ts'

if (!hasSshServer) console.error('Skipping the contracts over SSH: sshd or ssh is missing')

/** A word for the shell at the other end. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

describe.runIf(hasSshServer)('over SSH, as another user if root runs this', () => {
  let place: Place = { folder: '' }
  let folder = ''
  /** Options that let all cases share one login. */
  let sharing: string[] = []
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'sandagent-test-')))
    const { server, stop } = await startSshServer(folder)
    const { command, home, uid } = server
    // The other user may not be able to read this repository, so the relay is uploaded. The wire of the cases carries lines.
    const first = commandSandbox(command, { workdir: join(home, 'first'), isolation: 'none' })
    await first.files.list('.')
    first.close()
    const [ssh, ...login] = command
    sharing = ['-o', 'ControlMaster=auto', '-o', 'ControlPersist=yes', '-S', join(folder, 'login.socket')]
    place = {
      folder: home,
      uid,
      relay: undefined,
      through: (argv) => [ssh, ...sharing, ...login, ...argv.map(quoted)],
    }
    return async () => {
      spawnSync(ssh, ['-S', join(folder, 'login.socket'), '-O', 'exit', ...login])
      await stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  })

  describe('a sandbox', () => {
    for (const { name, run } of sandboxCases(() => place)) it(name, run)
  })

  describe('a channel whose runner is of that user', () => {
    // The runner works in this process, which therefore becomes that user.
    const { geteuid, seteuid } = process
    const isRoot = geteuid?.() === 0
    beforeAll(() => {
      if (!isRoot) return
      sharing = [] // Only the same user can share it.
      seteuid?.(place.uid ?? 0)
    })
    afterAll(() => void (isRoot && seteuid?.(0)))
    for (const { name, run } of storeCases(() => place)) it(name, run)
  })
})
