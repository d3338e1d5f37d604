import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AskError } from '@sandagent/core'
import { createFakeClock } from '@sandagent/core/testing'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createMemoryFleet, type RunLogs } from '@sandagent/store'
import { expect, it, onTestFinished, vi } from 'vitest'
import { latestRecord, type RunRecord } from '../../src/run-records/run-records.ts'
import { copyLog } from '../../src/runs/copy-log.ts'
import { readRun } from '../../src/runs/run.ts'
import { startRun } from '../../src/runs/start-run.ts'
import { stopRun } from '../../src/runs/stop-run.ts'
import { LocalSandbox } from '../../src/sandbox/local-sandbox.ts'

/** Prints an event, and the rest once there is a file `go`. */
const PROGRAM = `
  const print = (chunk) => process.stdout.write('data: ' + chunk + '\\n\\n')
  print('{"type":"start"}')
  const timer = setInterval(() => {
    if (!require('node:fs').existsSync('go')) return
    clearInterval(timer)
    print('{"type":"error","errorText":"No"}')
    print('[DONE]')
  }, 10)`

/** A run of the program, and what copies its log. */
async function begun() {
  const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation: 'none' })
  const program = join(sandbox.workdir, 'program.cjs')
  await writeFile(program, PROGRAM)
  const request = { agent: 'scripted', prompt: 'Go', runner: [process.execPath, program] as [string, string] }
  const { runId } = await startRun(sandbox, request, { signingKeys: null })
  onTestFinished(async () => void (await stopRun(sandbox, runId, { graceMs: 0 })))
  const record = (await latestRecord(sandbox, runId)) as RunRecord
  const clock = createFakeClock()
  const copy = (logs: RunLogs): Promise<void> =>
    copyLog(sandbox, record, logs, { signal: new AbortController().signal, clock })
  return { sandbox, record, clock, copy }
}

it('a store that fails once, after a long silence of the run, loses nothing of its log', async () => {
  const { sandbox, record, clock, copy } = await begun()
  const memory = createMemoryFleet().logs as RunLogs
  let failures = 0
  const logs: RunLogs = {
    ...memory,
    async append(log, piece) {
      if (failures-- > 0) throw new AskError('UNREACHABLE', 'The store is out of reach')
      return memory.append(log, piece)
    },
  }
  const copied = copy(logs)
  await vi.waitFor(async () => expect((await memory.last(record))?.bytes.length).toBeGreaterThan(0))
  clock.advance(6 * 60_000)
  failures = 1
  await writeFile(join(sandbox.workdir, 'go'), '')
  await vi.waitFor(async () => {
    clock.advance(1000)
    expect(await memory.last(record)).toMatchObject({ ended: 'failed' })
  })
  await copied
})

it('a copy ends when its fleet is closed, also while the store is out of reach', async () => {
  const { sandbox, record, copy } = await begun()
  const fleet = createMemoryFleet()
  const memory = fleet.logs as RunLogs
  const append = vi.fn(async () => {
    throw new AskError('UNREACHABLE', 'The store is out of reach')
  })
  const copies = [copy(memory), copy({ ...memory, append })]
  await vi.waitFor(async () => {
    expect((await memory.last(record))?.bytes.length).toBeGreaterThan(0)
    expect(append).toHaveBeenCalled()
  })
  await fleet.close()
  await Promise.all(copies)
  await writeFile(join(sandbox.workdir, 'go'), '')
  await vi.waitFor(async () =>
    expect(await readRun(sandbox, record.runId)).toMatchObject({ state: 'failed' }),
  )
})
