import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { canIsolate } from '../../../support/isolated.ts'

const LAUNCHER = fileURLToPath(new URL('../../../../dist/launcher/launcher.js', import.meta.url))

/** A launcher in a new workdir, which waits for its request. */
async function launching() {
  const folder = await tempDir()
  const [workdir, temporary] = [join(folder, 'workdir'), join(folder, 'tmp')]
  for (const path of [workdir, temporary]) await mkdir(path)
  for (const name of ['approvals', 'runs', 'questions', 'home'])
    await mkdir(join(workdir, '.sandagent', name), { recursive: true })
  const launcher = spawn(process.execPath, [LAUNCHER], {
    cwd: workdir,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  onTestFinished(() => void launcher.kill('SIGKILL'))
  const ended = once(launcher, 'close')
  const request = launcher.stdio[3] as Writable
  return {
    ...{ launcher, workdir, temporary },
    pid: launcher.pid as number,
    printed: text(launcher.stdout as Readable),
    complaint: text(launcher.stderr as Readable),
    exitCode: async (): Promise<number | null> => (await ended)[0],
    say: (given: string) => void request.end(given),
    /** Requests a shell script. */
    run: (script: string, { hosts = [] as string[], env = {} } = {}) =>
      void request.end(
        JSON.stringify({
          ...{ workdir, readable: [], hidden: [], hosts, command: 'sh', args: ['-c', script] },
          env: { PATH: process.env.PATH, ...env },
        }),
      ),
  }
}

/** Whether a process has its own reaction to SIGHUP, which Node does not have by itself. */
async function catchesSignals(pid: number): Promise<boolean> {
  const mask = /^SigCgt:\s*([0-9a-f]+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (BigInt(`0x${mask}`) & 1n) === 1n
}

it('a launcher whose host ends without a request starts nothing, and says so', async () => {
  const { say, exitCode, complaint } = await launching()
  say('')
  expect(await exitCode()).toBe(125)
  expect(await complaint).toBe('sandagent: the host ended before it had started this\n')
})

it('a launcher that cannot read its request says so', async () => {
  const { say, exitCode, complaint } = await launching()
  say('{"command":"sh"')
  expect(await exitCode()).toBe(126)
  expect(await complaint).toMatch(/^sandagent: the sandbox cannot be made: This is nothing to launch/)
})

describe.skipIf(!canIsolate)('a launched program', () => {
  it('runs in its workdir with its variables alone, and its exit code is passed on', async () => {
    const { run, exitCode, printed, complaint, workdir } = await launching()
    run('pwd; echo "$GREETING $TMPDIR"; env | grep -ciE "proxy|^HOME="; echo no >&2; exit 7', {
      env: { GREETING: 'hello' },
    })
    expect(await printed).toBe(`${workdir}\nhello /tmp\n0\n`)
    expect([await exitCode(), await complaint]).toEqual([7, 'no\n'])
  })

  it('may write every name into its workdir, and nothing else comes there', async () => {
    const { run, exitCode, workdir } = await launching()
    const names = ['.bashrc', '.gitconfig', '.mcp.json', '.profile']
    run(`touch ${names.join(' ')} && mkdir .vscode .claude`)
    expect(await exitCode()).toBe(0)
    expect((await readdir(workdir)).sort()).toEqual([...names, '.vscode', '.claude', '.sandagent'].sort())
  })

  it('gets a signal that came before it was started', async () => {
    const { pid, run, exitCode, launcher } = await launching()
    await vi.waitFor(async () => expect(await catchesSignals(pid)).toBe(true))
    launcher.kill('SIGTERM')
    run('exec sleep 100000')
    expect(await exitCode()).toBe(143)
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('ends by %s, with the exit code %d', async (signal, code) => {
    const { run, launcher, exitCode, workdir } = await launching()
    run('touch ready; exec sleep 100000')
    await vi.waitFor(() => expect(existsSync(join(workdir, 'ready'))).toBe(true))
    launcher.kill(signal)
    expect(await exitCode()).toBe(code)
  })

  it('whose sandbox is killed has the exit code that shells give for it', async () => {
    const { run, pid, exitCode, workdir } = await launching()
    run('touch ready; exec sleep 100000')
    await vi.waitFor(() => expect(existsSync(join(workdir, 'ready'))).toBe(true))
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
    for (const child of children.trim().split(' ')) process.kill(Number(child), 'SIGKILL')
    expect(await exitCode()).toBe(137)
  })

  it.each([
    ['example.com', false],
    ['127.0.0.1:9', true],
    ['localhost', true],
  ])('with the host %s goes through the proxy even for this machine: %s', async (host, isLocal) => {
    const { run, exitCode, printed, temporary } = await launching()
    run('echo "<$NO_PROXY><$no_proxy>"; [ -n "$HTTP_PROXY" ]', { hosts: [host] })
    expect(await exitCode()).toBe(0)
    expect((await printed) === '<><>\n').toBe(isLocal)
    // The sockets of the proxy are gone, too.
    expect(await readdir(temporary)).toEqual([])
  })
})
