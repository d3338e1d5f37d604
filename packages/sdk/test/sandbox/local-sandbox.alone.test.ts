import { existsSync } from 'node:fs'
import { chmod, realpath, symlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { canBeOther } from '@sandagent/fixtures/other-user.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { LocalSandbox, type LocalSandboxOptions } from '../../src/index.ts'
import { canIsolate, isolatedSandbox, printedBy } from '../support/isolated.ts'
import { tempSandbox } from '../support/temp-sandbox.ts'

describe('LocalSandbox', () => {
  it('creates its workdir, given relative to the current directory', async () => {
    const workdir = join(await tempDir(), 'a', 'b')
    const sandbox = new LocalSandbox({ workdir: relative(process.cwd(), workdir) })
    expect(sandbox.workdir).toBe(workdir)
    expect(existsSync(workdir)).toBe(true)
    expect(new LocalSandbox({ workdir }).workdir).toBe(workdir)
  })

  it('takes a workdir that is a link for what it leads to', async () => {
    const { workdir } = await tempSandbox()
    const link = `${workdir}-link`
    await symlink(workdir, link)
    expect(new LocalSandbox({ workdir: link }).workdir).toBe(await realpath(workdir))
  })

  it('reaches the files of its workdir', async () => {
    const { files, workdir } = await tempSandbox()
    await files.writeAtomic('notes/a.txt', 'hello')
    expect(await files.read('notes/a.txt')).toBe('hello')
    expect(existsSync(join(workdir, 'notes', 'a.txt'))).toBe(true)
  })

  it('has the options that it was given', async () => {
    const { workdir } = await tempSandbox()
    const sandbox = new LocalSandbox({ workdir, stateFolder: '.state', sweepAfterMs: 9 })
    expect(sandbox).toMatchObject({
      ...{ workdir, hostFolder: workdir, stateFolder: '.state', sweepAfterMs: 9 },
    })
    expect(new LocalSandbox({ workdir })).toMatchObject({
      stateFolder: '.sandagent',
      sweepAfterMs: undefined,
    })
    for (const wrong of [{ stateFolder: '../x' }, { workdirs: workdir }])
      expect(() => new LocalSandbox({ workdir, ...wrong } as LocalSandboxOptions)).toThrow(
        expect.objectContaining({ code: 'INVALID_REQUEST' }),
      )
  })

  it('says how its programs are isolated on the error output, if nobody else listens', async () => {
    const { workdir } = await tempSandbox()
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => said.mockRestore())
    vi.resetModules()
    const fresh = await import('../../src/sandbox/local-sandbox.ts')
    const child = await new fresh.LocalSandbox({ workdir, isolation: 'auto' }).spawn('true')
    for (const output of [child.stdout, child.stderr]) output.resume()
    await child.ended
    expect(said.mock.calls).toEqual([[expect.stringMatching(/^sandagent: Programs are /)]])
  })

  it('reports in the end of a program what the system says of its start', async () => {
    const { workdir, files } = await tempSandbox()
    await files.writeAtomic('no-program', 'text')
    const sandbox = new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })
    const child = await sandbox.spawn('./no-program')
    expect([child.pid, await child.ended]).toMatchObject([
      undefined,
      { exitCode: null, signal: null, error: { code: 'EACCES' } },
    ])
    const ended = await sandbox.spawn('sh', ['-c', 'exit 3'])
    for (const output of [ended.stdout, ended.stderr]) output.resume()
    expect(await ended.ended).toEqual({ exitCode: 3, signal: null })
  })
})

it.runIf(canBeOther)('a program of another user has the home and the name of that user', async () => {
  const folder = await tempDir()
  await chmod(folder, 0o755)
  const sandbox = await tempSandbox({ workdir: join(folder, 'workdir'), agentUser: 'daemon' })
  const script = 'echo "$HOME $USER $LOGNAME"; id -un'
  expect(await printedBy(sandbox, script)).toBe(`${sandbox.workdir}/.sandagent/home daemon daemon\ndaemon\n`)
  const { ended } = await sandbox.detached.start('sh', ['-c', script], { stdout: 'out', stderr: 'err' })
  expect(await ended).toEqual({ exitCode: 0, signal: null })
  expect(await sandbox.files.read('out')).toMatch(/\ndaemon\n$/)
})

it.runIf(canIsolate)('no variable of this process changes how an isolated program starts', async () => {
  vi.stubEnv('NODE_OPTIONS', '--require /no/such/file')
  onTestFinished(() => void vi.unstubAllEnvs())
  const sandbox = await isolatedSandbox()
  expect(await printedBy(sandbox, 'echo started')).toBe('started\n')
  const { ended } = await sandbox.detached.start('echo', ['started'], { stdout: 'out', stderr: 'err' })
  expect(await ended).toEqual({ exitCode: 0, signal: null })
})
