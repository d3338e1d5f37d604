import { describe, expect, it } from 'vitest'
import { readExit, readStop } from '../../src/run-records/run-ends.ts'
import { attemptPaths } from '../../src/run-records/run-paths.ts'
import { abandonStart, latestRecord, readJson } from '../../src/run-records/run-records.ts'
import type { AnswerableSandbox } from '../../src/sandbox/sandbox.ts'
import { tempSandbox } from '../support/temp-sandbox.ts'

const recordOf = (runId: string, attempt = 1, more: object = {}) => ({
  version: 1 as const,
  runId,
  attempt,
  agent: 'claude',
  args: ['--fast'],
  prompt: 'Go',
  metadata: { team: 'a' },
  startedAt: '2026-01-01T00:00:00.000Z',
  process: '12 34',
  maxLogBytes: 1000,
  ...more,
})

const nothingKnown = {
  version: 1,
  runId: 'r',
  attempt: 1,
  agent: '',
  args: [],
  prompt: '',
  metadata: {},
  startedAt: '1970-01-01T00:00:00.000Z',
  maxLogBytes: 64 * 1024 * 1024,
  process: '',
}

/** Files in memory, and how many folders were listed. */
function memorySandbox() {
  const texts = new Map<string, string>()
  const counts = { lists: 0 }
  const sandbox: AnswerableSandbox = {
    files: {
      read: async (path) => texts.get(path) ?? null,
      async writeAtomic(path, text) {
        texts.set(path, text)
      },
      async list(folder) {
        counts.lists++
        const below = [...texts.keys()].filter((path) => path.startsWith(`${folder}/`))
        return [...new Set(below.map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''))]
      },
    },
  }
  const put = (runId: string, attempt = 1): void => {
    const { claim, record } = attemptPaths(sandbox, runId, attempt)
    texts.set(claim, '{}').set(record, JSON.stringify(recordOf(runId, attempt)))
  }
  return { sandbox, texts, counts, put }
}

const writing = async (text: string, file: 'record' | 'exit' | 'stop' = 'record') => {
  const sandbox = await tempSandbox()
  await sandbox.files.writeAtomic(attemptPaths(sandbox, 'r', 1)[file], text)
  return sandbox
}

describe('the latest start of a run', () => {
  it('is the last one with a record, in full', async () => {
    const sandbox = await tempSandbox()
    expect(await latestRecord(sandbox, 'r')).toBeNull()
    const written = [recordOf('r'), recordOf('r', 2, { owner: 'ada', publicKeyIds: ['k'] })]
    for (const record of written) {
      await sandbox.files.writeAtomic(attemptPaths(sandbox, 'r', record.attempt).claim, '{}')
      await sandbox.files.writeAtomic(
        attemptPaths(sandbox, 'r', record.attempt).record,
        JSON.stringify(record),
      )
      expect(await latestRecord(sandbox, 'r')).toEqual(record)
    }
    await sandbox.files.writeAtomic(attemptPaths(sandbox, 'r', 3).claim, '{}')
    expect(await latestRecord(sandbox, 'r')).toEqual(written[1])
    expect(await latestRecord(sandbox, 'other')).toBeNull()
  })

  it('is not one that was abandoned, which nobody can complete', async () => {
    const sandbox = await writing(JSON.stringify(recordOf('r')))
    await abandonStart(sandbox, 'r', 2)
    expect(await latestRecord(sandbox, 'r')).toEqual(recordOf('r'))
    const path = attemptPaths(sandbox, 'r', 2).record
    expect(JSON.parse((await sandbox.files.read(path)) ?? '')).toEqual({
      version: 1,
      runId: 'r',
      attempt: 2,
      abandoned: true,
    })
    await expect(abandonStart(sandbox, 'r', 2)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(abandonStart(sandbox, 'r', 1)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('is found also when the number before it was given up', async () => {
    const { sandbox, put } = memorySandbox()
    const attemptOf = async () => (await latestRecord(sandbox, 'r'))?.attempt
    put('r')
    expect(await attemptOf()).toBe(1)
    put('r', 3)
    expect(await attemptOf()).toBe(3)
  })
})

describe('a record that cannot be read', () => {
  const full = recordOf('r')
  it.each<[string, unknown, object]>([
    ['that is no JSON', 'x', {}],
    ['that is nothing', '', {}],
    ['of another version', { ...full, version: 2 }, { process: '12 34' }],
    ['without an agent', { ...full, agent: undefined }, { process: '12 34' }],
    ['of no time', { ...full, startedAt: 'now' }, { process: '12 34' }],
    ['that counts parts of starts', { ...full, attempt: 1.5 }, { process: '12 34' }],
    ['that was abandoned, or was it', { version: 1, runId: 'r', attempt: 1, abandoned: false }, {}],
    ['of another start', { ...full, attempt: 2 }, { process: '12 34' }],
    ['of another run', { ...full, runId: 's' }, {}],
    ['of another run, and no JSON', '{"runId":"s","process":"12"', {}],
    ['that was cut', '{"runId": "r", "process": "12", "agent', { process: '12' }],
    ['that was cut before its process', '{"runId": "r", "proc', {}],
    ['of a process alone', '{"process":"12"', {}],
  ])('%s is damaged', async (_, content, known) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    expect(await latestRecord(await writing(text), 'r')).toEqual({
      ...nothingKnown,
      ...known,
      damage: expect.stringMatching(
        /^(The record of this run cannot be read|The file .* belongs to another run than r)/,
      ),
    })
  })

  it('of another run says where it is', async () => {
    const record = await latestRecord(await writing(JSON.stringify(recordOf('s'))), 'r')
    expect(record?.damage).toContain('.sandagent/runs/r/1/run.json')
  })

  it('is no reason to hide a failure of the disk', async () => {
    const sandbox = await writing(JSON.stringify(full))
    const failure = Object.assign(new Error('I/O error'), { code: 'EIO' })
    const files = Object.create(sandbox.files, { read: { value: () => Promise.reject(failure) } })
    await expect(latestRecord({ files }, 'r')).rejects.toBe(failure)
    await expect(readExit({ files }, full)).rejects.toBe(failure)
    await expect(readStop({ files }, full)).rejects.toBe(failure)
  })
})

describe('how a start ended', () => {
  const record = recordOf('r')
  const exit = { exitCode: 1, signal: null, endedAt: '2026-01-01T00:00:00.000Z' }

  it.each<[string, unknown]>([
    [JSON.stringify(exit), exit],
    [
      JSON.stringify({ ...exit, exitCode: null, signal: 'SIGKILL' }),
      { ...exit, exitCode: null, signal: 'SIGKILL' },
    ],
    [JSON.stringify({ ...exit, exitCode: '1' }), null],
    [JSON.stringify({ ...exit, endedAt: 'now' }), null],
    [JSON.stringify({ exitCode: 1, endedAt: exit.endedAt }), null],
    ['x', null],
  ])('by the file %s', async (text, expected) => {
    expect(await readExit(await writing(text, 'exit'), record)).toEqual(expected)
  })

  it.each<[string, unknown]>([
    ['{}', {}],
    ['{"reason":"enough"}', { reason: 'enough' }],
    ['{"reason":1}', {}],
    ['x', {}],
  ])('by the stop %s', async (text, expected) => {
    expect(await readStop(await writing(text, 'stop'), record)).toEqual(expected)
  })

  it('is not known without a file', async () => {
    const sandbox = await tempSandbox()
    expect(await readExit(sandbox, record)).toBeNull()
    expect(await readStop(sandbox, record)).toBeNull()
  })
})

it('a file that cannot be read is named', async () => {
  const { files } = await writing('x', 'exit')
  const path = '.sandagent/runs/r/1/exit.json'
  await expect(readJson(files, path, undefined as never)).rejects.toMatchObject({
    code: 'INVALID_FILE',
    message: expect.stringContaining(`${path} cannot be read`),
  })
})
