import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, listRuns, type RunRequest, startRun, stopRun } from '@sandagent/sdk'
import { expect, vi } from 'vitest'

const host = fileURLToPath(new URL('../../fixtures/killed-host.mjs', import.meta.url))

/** Notes in the workdir that it began, and stays until it is stopped. */
const request: RunRequest & { runId: string } = {
  runId: 'r',
  agent: 'command',
  prompt: 'Go',
  runner: ['sh', '-c', 'echo begun >>work; sleep 600 & wait', 'worker'],
}

/** Starts the run in a process of its own, which is killed before its file operation number `killAt`. */
async function startIn(sandbox: LocalSandbox, isolation: string, killAt: number): Promise<boolean> {
  const child = spawn(process.execPath, [host], {
    env: { ...process.env, KILL_AT: `${killAt}` },
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child.stdin.end(JSON.stringify({ workdir: sandbox.workdir, isolation, request }))
  const [, signal] = await once(child, 'exit')
  return signal === 'SIGKILL'
}

/** The processes that name the workdir on their command line, or are in it. */
const processesOf = ({ workdir }: LocalSandbox): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && tracesOf(name).some((text) => text.includes(workdir)))
    .map(Number)

function tracesOf(pid: string): string[] {
  try {
    return [readFileSync(`/proc/${pid}/cmdline`, 'utf8'), readlinkSync(`/proc/${pid}/cwd`)]
  } catch {
    return [] // It ended meanwhile.
  }
}

const isListed = async (sandbox: LocalSandbox): Promise<boolean> =>
  (await listRuns(sandbox)).some(({ state }) => state === 'running')

const work = ({ files }: LocalSandbox): Promise<string | null> => files.read('work')

/** Whether the run's work was begun, once what the killed host left behind is at work or gone. */
const hasBegun = (sandbox: LocalSandbox): Promise<boolean> =>
  vi.waitFor(async () => {
    const isGone = processesOf(sandbox).length === 0 && !(await isListed(sandbox))
    const begun = await work(sandbox)
    if (begun === null && !isGone) throw new Error('It is being started, or about to end')
    return begun !== null
  })

async function killAndStartAgain(level: 'none' | 'strict', killAt: number): Promise<boolean> {
  const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation: level, onIsolation: () => {} })
  const wasKilled = await startIn(sandbox, level, killAt)
  const goesOn = await hasBegun(sandbox)
  expect(await isListed(sandbox), `${killAt}`).toBe(goesOn)
  const again = startRun(sandbox, request, { signingKeys: null })
  if (goesOn) await expect(again, `${killAt}`).rejects.toMatchObject({ code: 'CONFLICT' })
  else await again
  await vi.waitFor(async () => expect(await work(sandbox), `${killAt}`).toBe('begun\n'))
  expect(await isListed(sandbox), `${killAt}`).toBe(true)
  await stopRun(sandbox, 'r', { graceMs: 0 })
  await vi.waitFor(() => expect(processesOf(sandbox), `${killAt}`).toEqual([]))
  expect(await work(sandbox), `${killAt}`).toBe('begun\n')
  return wasKilled
}

/** As many as a small machine does at once. */
const AT_ONCE = 4

/**
 * Kills hosts that start a run, each at a later one of their file operations, until one comes through.
 *
 * @param step how many operations lie between two kills
 */
export async function killEverywhere(level: 'none' | 'strict', step: number): Promise<void> {
  let killAt = 1 - step
  for (let wasKilled = true; wasKilled; ) {
    const points = Array.from({ length: AT_ONCE }, () => (killAt += step))
    wasKilled = (await Promise.all(points.map((point) => killAndStartAgain(level, point)))).every(Boolean)
  }
  expect(killAt).toBeGreaterThan(40)
}
