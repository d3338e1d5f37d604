import { spawnSync } from 'node:child_process'
import { open, readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runner } from '@sandagent/fixtures/runner/runner.ts'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type LocalSandbox, readRun, type SandboxProcess, stopRun } from '../../../../src/index.ts'
import { canIsolate, isolatedSandbox } from '../../../support/isolated.ts'
import { chunksIn, eventsOf, followed, noted, started } from '../../../support/runs.ts'

/** Whether a process runs on this machine with a word of its command line. */
async function runs(word: string): Promise<boolean> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(
    numbers.map((number) => readFile(`/proc/${number}/cmdline`, 'utf8').catch(() => '')),
  )
  return lines.some((line) => line.split('\0').includes(word))
}

const running = (word: string): Promise<void> =>
  vi.waitFor(async () => expect(await runs(word)).toBe(true), { interval: 20 })

const gone = (word: string): Promise<void> =>
  vi.waitFor(async () => expect(await runs(word)).toBe(false), { interval: 20 })

/** A number of seconds to sleep that no other test sleeps. */
const longTime = (): string => `${100_000 + Math.floor(Math.random() * 1e9)}`

/** Starts a shell script, and resolves once it has printed something. */
async function start(sandbox: LocalSandbox, script: string, signal?: AbortSignal) {
  const child = await sandbox.spawn('sh', ['-c', script], signal && { signal })
  onTestFinished(() => child.kill())
  child.stderr.resume()
  await new Promise((resolve) => child.stdout.once('data', resolve))
  child.stdout.resume()
  return child
}

/** Sends SIGTERM alone. `kill()` sends SIGKILL five seconds later. */
const interrupt = ({ pid }: SandboxProcess): boolean => process.kill(pid as number, 'SIGTERM')

describe.skipIf(!canIsolate)('an isolated program', () => {
  it('is told of a signal, and ends in order', async () => {
    const sandbox = await isolatedSandbox()
    const script = 'trap "echo bye >bye; exit 7" TERM; echo ready; while :; do sleep 0.1; done'
    const child = await start(sandbox, script)
    interrupt(child)
    expect(await child.ended).toEqual({ exitCode: 7, signal: null })
    expect(await sandbox.files.read('bye')).toBe('bye\n')
  })

  it('ends by a signal with the exit code that shells give for it', async () => {
    const child = await start(await isolatedSandbox(), `echo ready; exec sleep ${longTime()}`)
    interrupt(child)
    expect(await child.ended).toEqual({ exitCode: 143, signal: null })
  })

  it('takes what it started with it, also what left its process group', async () => {
    const [seconds, others] = [longTime(), longTime()]
    const script = `sleep ${seconds} & setsid sleep ${others} & echo ready; read line; exit 3`
    const child = await start(await isolatedSandbox(), script)
    await running(seconds)
    await running(others)
    child.stdin.end()
    expect(await child.ended).toEqual({ exitCode: 3, signal: null })
    await gone(seconds)
    await gone(others)
  })

  it('is killed with all that it started when it does not listen', async () => {
    const [seconds, others] = [longTime(), longTime()]
    const sandbox = await isolatedSandbox()
    const script = `trap "" TERM; setsid sleep ${seconds} & echo ready >ready; exec sleep ${others}`
    const outputs = { stdout: 'out', stderr: 'err' }
    const { handle, ended } = await sandbox.detached.start('sh', ['-c', script], outputs)
    onTestFinished(() => sandbox.detached.kill(handle))
    await running(seconds)
    await running(others)
    await sandbox.detached.interrupt(handle)
    await sandbox.detached.kill(handle)
    expect(await ended).toEqual({ exitCode: null, signal: 'SIGKILL' })
    await gone(seconds)
    await gone(others)
  })

  it('starts with nothing that its host has open', async () => {
    const { workdir } = await isolatedSandbox()
    const folder = await open('/', 'r')
    onTestFinished(() => folder.close())
    const script = fileURLToPath(new URL('../../../fixtures/report-isolation.mjs', import.meta.url))
    const { stdout } = spawnSync(process.execPath, [script, workdir, 'strict', 'ls', '/proc/self/fd'], {
      stdio: ['ignore', 'pipe', 'inherit', 'ignore', 'ignore', 'ignore', 'ignore', folder.fd],
      encoding: 'utf8',
    })
    // The last one is that of the folder which is listed.
    expect(JSON.parse(stdout).printed).toBe('0\n1\n2\n3\n')
  })
})

describe.skipIf(!canIsolate)('an isolated run', () => {
  it('prints its stream into the log that it cannot open', async () => {
    const sandbox = await isolatedSandbox()
    const { runId } = await started(sandbox, { agent: 'finishes', env: { GREETING: 'hello' } })
    const chunks = chunksIn(await eventsOf(sandbox, runId))
    expect(chunks[1]).toMatchObject({ data: { greeting: 'hello', cwd: sandbox.workdir } })
    expect(await noted(sandbox, runId)).toMatchObject({ state: 'finished', exitCode: 0 })
  })

  it('is stopped in order', async () => {
    const sandbox = await isolatedSandbox()
    const { runId } = await started(sandbox, { agent: 'waits' })
    for await (const event of followed(sandbox, runId)) if (event.includes('data-ready')) break
    const stopped = await stopRun(sandbox, runId, { reason: 'Enough', graceMs: 60_000 })
    expect(stopped).toMatchObject({ state: 'stopped' })
    expect(chunksIn(await eventsOf(sandbox, runId)).at(-1)).toEqual({ type: 'abort' })
    expect(await noted(sandbox, runId)).toMatchObject({ exitCode: 143, reason: 'Enough' })
  })

  it('outlives its host, and is stopped by another one', async () => {
    const sandbox = await isolatedSandbox()
    const fixture = fileURLToPath(new URL('../../../fixtures/run-host.mjs', import.meta.url))
    const host = execa(process.execPath, [fixture], {
      reject: false,
      input: JSON.stringify([sandbox.workdir, runner]),
    })
    onTestFinished(() => void host.kill('SIGKILL'))
    await vi.waitFor(async () => expect(await readRun(sandbox, 'r')).toMatchObject({ state: 'running' }))
    for await (const event of followed(sandbox, 'r')) if (event.includes('data-ready')) break
    host.kill('SIGKILL')
    expect((await host).signal).toBe('SIGKILL')
    expect(await readRun(sandbox, 'r')).toMatchObject({ state: 'running' })
    expect(await stopRun(sandbox, 'r')).toMatchObject({ state: 'stopped' })
    expect(chunksIn(await eventsOf(sandbox, 'r')).at(-1)).toEqual({ type: 'abort' })
  })
})
