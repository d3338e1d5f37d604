import { expect, it } from 'vitest'
import { attemptPaths, isRunId, newRunId, runFolder } from '../../src/run-records/run-paths.ts'

it('the files of a start are in its folder, and its claim is beside it', () => {
  expect(attemptPaths({}, 'r', 2)).toEqual({
    folder: '.sandagent/runs/r/2',
    claim: '.sandagent/runs/r/2.json',
    record: '.sandagent/runs/r/2/run.json',
    stream: '.sandagent/runs/r/2/stream.sse',
    errors: '.sandagent/runs/r/2/stderr.log',
    exit: '.sandagent/runs/r/2/exit.json',
    stop: '.sandagent/runs/r/2/stop.json',
  })
  expect(attemptPaths({ stateFolder: '.mine' }, 'r', 1).folder).toBe('.mine/runs/r/1')
})

it('a run id has up to 100 letters, digits, dashes and underscores, and begins with a letter or digit', () => {
  for (const id of ['r', '0', 'Run_1-a', 'x'.repeat(100), newRunId()]) expect(isRunId(id), id).toBe(true)
  for (const id of ['', '-r', '_r', 'a.b', 'a/b', 'ü', 'a\n', 'x'.repeat(101)])
    expect(isRunId(id), id).toBe(false)
})

it('a new run id is another one each time', () => {
  const ids = Array.from({ length: 100 }, newRunId)
  expect(new Set(ids).size).toBe(100)
  for (const id of ids) expect(id).toMatch(/^run-[0-9a-f]{16}$/)
})

it('a text that is no run id has no folder', () => {
  expect(runFolder({}, 'r')).toBe('.sandagent/runs/r')
  expect(() => runFolder({}, '../r')).toThrow(
    expect.objectContaining({
      code: 'INVALID_REQUEST',
      faults: [{ path: 'runId', expected: 'up to 100 letters, digits, - and _' }],
    }),
  )
})
