import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listRuns, stopRun } from '@sandagent/sdk'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { askingRun, waitingQuestion } from '../support/remote/asking-run.ts'
import { pipedSandbox } from '../support/remote/piped-sandbox.ts'

const OUTPUTS = { stdout: 'out', stderr: 'err' }
const COUNTED = ['-c', 'echo begun >> count; exec sleep 1000']
const UNREACHABLE = { code: 'UNREACHABLE' }

it('a start whose last reply is lost waits for the connection as long as it takes', async () => {
  const clock = createFakeClock()
  const { sandbox, wire, workdir } = await pipedSandbox({ clock })
  let isDown = false
  wire.onFrame = (direction, text) => {
    if (direction === '>' && text.includes('"begin"')) isDown = true
    return isDown && direction === '<'
  }
  const started = sandbox.detached.start('sh', COUNTED, OUTPUTS)
  const settled = vi.fn()
  started.then(settled, settled)
  await vi.waitFor(() => expect(isDown).toBe(true))
  // A request that does not wait is given up.
  const given = sandbox.files.list('.').catch((error: unknown) => error)
  const isGivenUp = vi.fn()
  given.then(isGivenUp)
  await vi.waitFor(() => {
    clock.advance(5000)
    expect(isGivenUp).toHaveBeenCalled()
  })
  expect(await given).toMatchObject(UNREACHABLE)
  expect(settled).not.toHaveBeenCalled()

  isDown = false
  wire.onFrame = () => undefined
  const before = wire.relays.length
  await vi.waitFor(() => {
    clock.advance(1000)
    expect(wire.relays.length + settled.mock.calls.length).toBeGreaterThan(before)
  })
  await vi.waitFor(() => {
    // No faster than real time: a new relay on a busy machine says hello late.
    clock.advance(10)
    expect(settled).toHaveBeenCalled()
  })
  const { handle } = await started
  onTestFinished(() => sandbox.detached.kill(handle))
  expect(await sandbox.detached.isRunning(handle)).toBe(true)
  await vi.waitFor(async () => expect(await readFile(join(workdir, 'count'), 'utf8')).toBe('begun\n'))
})

it('a start that came to nothing stays so, if the reply that says it is lost', async () => {
  const { sandbox, wire } = await pipedSandbox()
  let cuts = 0
  wire.onFrame = (direction, text) => {
    const isDue =
      (cuts === 0 && direction === '>' && text.includes('"begin"')) ||
      (cuts === 1 && direction === '<' && text.includes('"value":false'))
    if (isDue) cuts++
    return isDue
  }
  await expect(sandbox.detached.start('sh', COUNTED, OUTPUTS)).rejects.toMatchObject({
    ...UNREACHABLE,
    message: expect.stringContaining('It never will begin'),
  })
  expect(cuts).toBe(2)
  expect(await sandbox.files.read('count')).toBeNull()
})

it('a run keeps its record when its host closes the sandbox before it knows that the run has begun', async () => {
  const { sandbox, wire, workdir } = await pipedSandbox()
  let isBeginning = false
  wire.onFrame = (direction, text) => {
    if (direction === '>' && text.includes('"begin"')) isBeginning = true
    if (!isBeginning || direction === '>') return false
    sandbox.close()
    return true
  }
  await expect(askingRun(sandbox, { signingKeys: null })).rejects.toMatchObject(UNREACHABLE)
  const other = await pipedSandbox({ workdir })
  const [run] = await listRuns(other.sandbox)
  onTestFinished(async () => void (await stopRun(other.sandbox, run?.runId ?? '', { graceMs: 0 })))
  expect(run).toMatchObject({ state: 'running' })
  expect(await waitingQuestion(other.sandbox, null)).toMatchObject({ state: 'open' })
})
