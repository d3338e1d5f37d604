import { AskError } from '@sandagent/core'
import { runner } from '@sandagent/fixtures/runner/runner.ts'
import { describe, expect, it } from 'vitest'
import { listRuns, pruneRuns, readRun, startRun, stopRun } from '../../src/index.ts'
import { recordedRun } from '../support/recorded-run.ts'
import { noted, started } from '../support/runs.ts'
import { refusalOf, tempSandbox } from '../support/temp-sandbox.ts'

describe('readRun', () => {
  it('tells how a run ended, and why where somebody said it', async () => {
    const sandbox = await tempSandbox()
    const endings = {
      finishes: { state: 'finished', exitCode: 0 },
      fails: { state: 'failed', exitCode: 1, reason: 'There is no such model' },
      crashes: { state: 'crashed', exitCode: null, signal: 'SIGKILL' },
      'no such agent': {
        state: 'crashed',
        exitCode: 1,
        reason: expect.stringMatching(/^TypeError: .* is not a function$/),
      },
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

  it('tells of a damaged record what can still be known', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'waits' })
    const record = (await sandbox.files.read(`.sandagent/runs/${runId}/1/run.json`)) as string
    const damaged = {
      a: ['{"version":1', 'crashed'],
      b: [record.replaceAll(runId, 'b').replace('"metadata": {}', '"metadata": {"chat": 7}'), 'running'],
      c: [record, 'crashed'],
      d: [record.replaceAll(runId, 'd').slice(0, -2), 'running'],
    }
    for (const [id, [text, state]] of Object.entries(damaged)) {
      await sandbox.files.writeAtomic(`.sandagent/runs/${id}/1/run.json`, text as string)
      const run = await readRun(sandbox, id)
      expect(run, id).toMatchObject({ runId: id, state, agent: '', damage: expect.any(String) })
      expect(Math.abs(Date.parse(run?.startedAt as string) - Date.now())).toBeLessThan(600_000)
    }
    const warnings: string[] = []
    const runs = await listRuns(sandbox, { onWarning: ({ code }) => warnings.push(code) })
    expect(runs.map((run) => run.runId).sort()).toEqual([runId, ...Object.keys(damaged)].sort())
    expect(warnings).toEqual(Object.keys(damaged).map(() => 'INVALID_FILE'))
  })

  it('lets a run be stopped, pruned and started again whose record is damaged', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'waits' })
    const path = `.sandagent/runs/${runId}/1/run.json`
    const record = (await sandbox.files.read(path)) as string
    await sandbox.files.writeAtomic(path, record.replace('"metadata": {}', '"metadata": {"chat": 7}'))
    expect(await stopRun(sandbox, runId, { reason: 'Enough' })).toMatchObject({ state: 'stopped' })
    expect(await noted(sandbox, runId)).toMatchObject({ reason: 'Enough' })

    await sandbox.files.writeAtomic(path, 'garbage')
    await sandbox.files.writeAtomic('.sandagent/runs/gone/1/run.json', 'garbage')
    const start = startRun(sandbox, { runId: 'gone', agent: 'finishes', prompt: '', runner })
    expect(await refusalOf(start)).toMatchObject({ code: 'INVALID_FILE', facts: { runId: 'gone' } })
    await stopRun(sandbox, 'gone', { graceMs: 0 })
    expect(await started(sandbox, { runId: 'gone', agent: 'finishes' })).toMatchObject({ attempt: 2 })
    await noted(sandbox, 'gone')
    await sandbox.files.writeAtomic('.sandagent/runs/gone/2/run.json', 'garbage')
    const clock = { now: () => Date.now() + 8 * 24 * 60 * 60 * 1000, after: () => () => {} }
    expect((await pruneRuns(sandbox, { clock })).sort()).toEqual(['gone', runId].sort())
    expect(await sandbox.files.list('.sandagent/runs')).toEqual([])
  })
})

describe('what became of a run', () => {
  const DONE = 'data: [DONE]\n\n'
  const exit = { exitCode: 1, signal: null, endedAt: '2026-01-02T00:00:00.000Z' }

  it.each<[string, Partial<Record<'stream' | 'errors' | 'stop' | 'exit', string>>, object]>([
    ['nothing but a record', {}, { state: 'crashed', endedAt: '2026-01-01T00:00:00.000Z' }],
    ['a complaint', { errors: 'first\nlast\n' }, { state: 'crashed', reason: 'last' }],
    ['a complaint of a finished run', { errors: 'last', stream: DONE }, { state: 'finished' }],
    ['a stop', { stop: '{"reason":"Enough"}', errors: 'last' }, { state: 'stopped', reason: 'Enough' }],
    ['a stop without a reason', { stop: '{}', errors: 'last' }, { state: 'stopped' }],
    [
      'a stop of a run that had a reason of its own',
      { stop: '{"reason":"Enough"}', stream: `data: {"type":"error","errorText":"No"}\n\n${DONE}` },
      { state: 'failed', reason: 'No' },
    ],
    [
      'a stop and an aborted stream',
      { stop: '{"reason":"Enough"}', stream: `data: {"type":"abort"}\n\n${DONE}` },
      { state: 'stopped', reason: 'Enough' },
    ],
    ['an exit', { exit: JSON.stringify(exit) }, { state: 'crashed', ...exit }],
  ])('is told by %s', async (_, texts, expected) => {
    const { sandbox, record, files, paths, end } = await recordedRun()
    end()
    for (const [name, text] of Object.entries(texts))
      await files.writeAtomic(paths[name as keyof typeof texts], text)
    const { runId, agent, args, prompt, metadata, attempt, startedAt } = record
    const endedAt = texts.stream === undefined ? startedAt : expect.any(String)
    expect(await readRun(sandbox, 'r')).toEqual({
      ...{ runId, agent, args, prompt, metadata, attempt, startedAt, endedAt },
      ...expected,
    })
  })

  it('has the time of the last output if no host saw its end', async () => {
    const { sandbox, files, paths, end } = await recordedRun()
    end()
    await files.writeAtomic(paths.stream, DONE)
    const modifiedAt = (await files.stat(paths.stream))?.modifiedAt ?? 0
    expect(await readRun(sandbox, 'r')).toMatchObject({ endedAt: new Date(modifiedAt).toISOString() })
  })

  it('is not looked for while it goes on, and its owner is known', async () => {
    const { sandbox, files, paths } = await recordedRun({ record: { owner: 'ada' } })
    await files.writeAtomic(paths.exit, JSON.stringify(exit))
    const run = await readRun(sandbox, 'r')
    expect(run).toMatchObject({ state: 'running', owner: 'ada' })
    expect([run?.endedAt, run?.damage]).toEqual([undefined, undefined])
  })

  it('begins with the time of a damaged record', async () => {
    const { sandbox, files, paths } = await recordedRun()
    await files.writeAtomic(paths.record, 'garbage')
    const modifiedAt = (await files.stat(paths.record))?.modifiedAt ?? 0
    expect((await readRun(sandbox, 'r'))?.startedAt).toBe(new Date(modifiedAt).toISOString())
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

  it('passes over a run that cannot be read, with a warning, but not a failure of the disk', async () => {
    const { sandbox, files } = await recordedRun()
    const failing = (failure: Error) => {
      const list = (folder: string) =>
        folder.endsWith('/bad') ? Promise.reject(failure) : files.list(folder)
      return { ...sandbox, files: { ...files, list } }
    }
    await files.writeAtomic('.sandagent/runs/bad/1.json', '{}')
    const warnings: unknown[] = []
    const onWarning = (warning: unknown) => void warnings.push(warning)
    const unsafe = failing(new AskError('UNSAFE_PATH', 'This is a link'))
    expect((await listRuns(unsafe, { onWarning })).map(({ runId }) => runId)).toEqual(['r'])
    expect(warnings).toEqual([{ code: 'UNSAFE_PATH', message: 'This is a link' }])
    const broken = failing(new Error('I/O error'))
    await expect(listRuns(broken, { onWarning })).rejects.toThrow('I/O error')
  })
})
