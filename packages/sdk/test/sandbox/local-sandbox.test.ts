import { existsSync } from 'node:fs'
import { realpath, symlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { LocalSandbox } from '../../src/index.ts'
import { isRunning } from '../support/runs.ts'
import { tempSandbox } from '../support/temp-sandbox.ts'

/** Prints once it is ready for signals, then stays. */
const STAYS = "process.stdout.write('ready'); setInterval(() => {}, 60_000)"

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
})

describe('spawn', () => {
  it('runs a program in the workdir, with its input and outputs as streams', async () => {
    const sandbox = await tempSandbox()
    const script = 'process.stdin.pipe(process.stdout); console.error(process.cwd(), process.env.GREETING)'
    const child = await sandbox.spawn('node', ['-e', script], { env: { GREETING: 'hi' } })
    child.stdin.end('echoed')
    expect(await Promise.all([text(child.stdout), text(child.stderr), child.ended])).toEqual([
      'echoed',
      `${await realpath(sandbox.workdir)} hi\n`,
      { exitCode: 0, signal: null },
    ])
  })

  it('passes arguments as they are, without a shell', async () => {
    const sandbox = await tempSandbox()
    const args = ['$HOME', '; exit 3', '"', '*']
    const child = await sandbox.spawn('node', ['-p', 'process.argv.slice(1).join()', '--', ...args])
    expect(await text(child.stdout)).toBe(`${args.join()}\n`)
  })

  it('tells the exit code of a program that failed', async () => {
    const child = await (await tempSandbox()).spawn('node', ['-e', 'process.exit(3)'])
    child.stdout.resume()
    child.stderr.resume()
    expect(await child.ended).toEqual({ exitCode: 3, signal: null })
  })

  it('tells of a program that does not exist', async () => {
    const child = await (await tempSandbox()).spawn('no-such-program')
    expect(child.pid).toBeUndefined()
    expect(await child.ended).toMatchObject({
      exitCode: null,
      signal: null,
      error: { code: 'ENOENT' },
    })
  })

  it('ends the program when the signal aborts', async () => {
    const abort = new AbortController()
    const child = await (await tempSandbox()).spawn('node', ['-e', STAYS], { signal: abort.signal })
    child.stdout.once('data', () => abort.abort())
    child.stderr.resume()
    expect(await child.ended).toEqual({ exitCode: null, signal: 'SIGTERM' })
    expect(await isRunning(child.pid as number)).toBe(false)
  })

  it('ends the program when told to', async () => {
    const child = await (await tempSandbox()).spawn('node', ['-e', STAYS])
    child.stdout.once('data', () => child.kill())
    child.stderr.resume()
    expect(await child.ended).toEqual({ exitCode: null, signal: 'SIGTERM' })
  })

  it('starts nothing that stays when the signal aborted before', async () => {
    const child = await (await tempSandbox()).spawn('node', ['-e', STAYS], { signal: AbortSignal.abort() })
    child.stdout.resume()
    child.stderr.resume()
    expect(await child.ended).toMatchObject({ exitCode: null })
    expect(child.pid === undefined || !(await isRunning(child.pid))).toBe(true)
  })
})
