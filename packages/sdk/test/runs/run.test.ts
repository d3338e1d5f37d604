import { describe, expect, it } from 'vitest'
import { listRuns, readRun } from '../../src/index.ts'
import { noted, started } from '../support/runs.ts'
import { refusalOf, tempSandbox } from '../support/temp-sandbox.ts'

describe('readRun', () => {
  it('tells how a run ended, and why where somebody said it', async () => {
    const sandbox = await tempSandbox()
    const endings = {
      finishes: { state: 'finished', exitCode: 0 },
      fails: { state: 'failed', exitCode: 1, reason: 'There is no such model' },
      crashes: { state: 'crashed', exitCode: null, signal: 'SIGKILL' },
      'no such agent': { state: 'crashed', exitCode: 1, reason: expect.stringContaining('Node.js') },
    }
    for (const [agent, ending] of Object.entries(endings)) {
      const { runId, startedAt } = await started(sandbox, { agent })
      const run = await noted(sandbox, runId)
      expect(run, agent).toMatchObject({ agent, startedAt, ...ending })
      expect(Date.parse(run.endedAt as string), agent).toBeGreaterThanOrEqual(Date.parse(startedAt))
    }
  })

  it('takes another process that has the number of the runner by now for another process', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'waits' })
    const path = `.sandagent/runs/${runId}/1/run.json`
    const record = (await sandbox.files.read(path)) as string
    expect(await readRun(sandbox, runId)).toMatchObject({ state: 'running' })
    const { process } = JSON.parse(record)
    for (const other of [
      process.replace(/ \d+ /, ' 1 '),
      process.replace(/ \S+$/, ' another-boot'),
      '1 1 1',
      '',
    ]) {
      await sandbox.files.writeAtomic(path, record.replace(process, other))
      expect(await readRun(sandbox, runId), other).toMatchObject({ state: 'crashed' })
    }
    await sandbox.files.writeAtomic(path, record)
  })

  it('knows nothing of a run that nobody started', async () => {
    const sandbox = await tempSandbox()
    expect(await readRun(sandbox, 'r')).toBeNull()
    expect(await listRuns(sandbox)).toEqual([])
  })

  it('refuses records that cannot be read, or are another run’s', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'finishes' })
    await noted(sandbox, runId)
    const record = (await sandbox.files.read(`.sandagent/runs/${runId}/1/run.json`)) as string
    for (const [id, text] of Object.entries({ a: '{"version":1', b: '{"version":2}', c: record })) {
      await sandbox.files.writeAtomic(`.sandagent/runs/${id}/1/run.json`, text)
      expect((await refusalOf(readRun(sandbox, id))).code, id).toBe('INVALID_FILE')
    }
    const warnings: string[] = []
    const runs = await listRuns(sandbox, { onWarning: ({ code }) => warnings.push(code) })
    expect(runs.map((run) => run.runId)).toEqual([runId])
    expect(warnings).toEqual(['INVALID_FILE', 'INVALID_FILE', 'INVALID_FILE'])
  })
})

describe('listRuns', () => {
  it('lists the runs by age, each once', async () => {
    const sandbox = await tempSandbox()
    const ids = ['second', 'first', 'b', 'a']
    for (const runId of ids) await started(sandbox, { agent: 'waits', runId })
    await sandbox.files.writeAtomic('.sandagent/runs/notes.txt', 'no run')
    expect((await listRuns(sandbox)).map(({ runId }) => runId)).toEqual(ids)
  })
})
