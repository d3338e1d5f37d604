import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChannelWarning, QuestionState, Receipt } from '@sandagent/core'
import { noSystemWatches } from '@sandagent/fixtures/system-watches.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createFakeClock } from '@sandagent/testing'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createFileHostChannel,
  createFileRunnerChannel,
  createLocalFiles,
  questionRecordPath,
  type SandboxFiles,
} from '../../../src/internal.ts'
import { openRecord } from '../../records.ts'

beforeEach(noSystemWatches)

const timedOut: Receipt = { state: 'timed-out', settledAt: '2026-01-01T00:00:02.000Z', responses: {} }

/** A workdir with two questions that ended, one that is open, and one that cannot be read. */
async function workdirWithQuestions() {
  const workdir = await tempDir()
  const runner = createFileRunnerChannel({ workdir })
  for (const id of ['ended-1', 'ended-2', 'open']) await runner.open(openRecord(id))
  for (const id of ['ended-1', 'ended-2']) await runner.settle(id, timedOut)
  await writeFile(join(workdir, questionRecordPath('torn')), '{')
  const reads: string[] = []
  const all = createLocalFiles(workdir)
  const files: SandboxFiles = {
    ...all,
    read(path) {
      if (path.startsWith('.sandagent/questions/')) reads.push(path.slice('.sandagent/questions/'.length, -5))
      return all.read(path)
    },
  }
  /** Which questions were read since the last time. */
  const read = (): string[] => [...new Set(reads.splice(0))].sort()
  return { workdir, files, read }
}

/** Changes a file in place, as it never is by us, and keeps its size. */
async function editInPlace(path: string): Promise<void> {
  await writeFile(path, (await readFile(path, 'utf8')).replace('run-1', 'run-2'))
}

describe('a list of the questions that have not ended', () => {
  it('reads about a thousand files that are no questions at most, names twenty of them, and reads further the next time', async () => {
    const { workdir, files, read } = await workdirWithQuestions()
    const junk = Array.from({ length: 1500 }, (_, index) => `junk-${index}`)
    await Promise.all(junk.map((name) => writeFile(join(workdir, questionRecordPath(name)), '{')))
    const warnings: ChannelWarning[] = []
    const clock = createFakeClock()
    const channel = createFileHostChannel({ files, clock, onWarning: (warning) => warnings.push(warning) })
    await channel.questions({ unsettled: true })
    expect(read().filter((name) => name.startsWith('junk')).length).toBeLessThan(1100)
    expect(warnings).toHaveLength(21)
    expect(warnings.at(-1)?.message).toMatch(/^\d+ more question files cannot be read$/)
    expect(await channel.questions({ unsettled: true })).toMatchObject([{ toolCallId: 'open' }])
    expect(read().filter((name) => name.startsWith('junk')).length).toBeLessThanOrEqual(501)
    expect(await channel.questions({ unsettled: true })).toHaveLength(1)
    expect(read()).toEqual(['open'])
  })

  it('reads one that ended, or that is no question, only once until its file changes', async () => {
    const { workdir, files, read } = await workdirWithQuestions()
    const warnings: ChannelWarning[] = []
    const clock = createFakeClock()
    // Hosts make a channel for each request.
    const list = async (): Promise<string[]> => {
      const channel = createFileHostChannel({ files, clock, onWarning: (warning) => warnings.push(warning) })
      return (await channel.questions({ unsettled: true })).map(({ toolCallId }) => toolCallId)
    }
    expect([await list(), read()]).toEqual([['open'], ['ended-1', 'ended-2', 'open', 'torn']])
    expect([await list(), read()]).toEqual([['open'], ['open']])
    expect(warnings.map(({ code }) => code)).toEqual(['INVALID_FILE', 'INVALID_FILE'])

    await editInPlace(join(workdir, questionRecordPath('ended-1')))
    await writeFile(join(workdir, questionRecordPath('torn')), JSON.stringify(openRecord('torn')))
    expect([await list(), read()]).toEqual([
      ['open', 'torn'],
      ['ended-1', 'open', 'torn'],
    ])
    await writeFile(join(workdir, questionRecordPath('ended-2')), JSON.stringify(openRecord('ended-2')))
    await rm(join(workdir, questionRecordPath('open')))
    expect(await list()).toEqual(['ended-2', 'torn'])
  })

  it('reads an open one again until its stamp is two seconds old, and then only after a change', async () => {
    const { workdir, files, read } = await workdirWithQuestions()
    const clock = createFakeClock()
    const list = () => createFileHostChannel({ files, clock }).questions({ unsettled: true })
    const reads: string[][] = []
    for (const pauseMs of [1000, 1500, 0, 0]) {
      expect(await list()).toMatchObject([{ toolCallId: 'open', runId: 'run-1' }])
      reads.push(read().filter((name) => name === 'open'))
      clock.advance(pauseMs)
    }
    // The file is read at 0, 1 and 2.5 seconds.
    expect(reads).toEqual([['open'], ['open'], ['open'], []])
    await editInPlace(join(workdir, questionRecordPath('open')))
    expect(await list()).toMatchObject([{ toolCallId: 'open', runId: 'run-2' }])
  })

  it('reads all where the sandbox tells no stamps', async () => {
    const { files, read } = await workdirWithQuestions()
    const { stamps: _, ...plain } = files
    const channel = createFileHostChannel({ files: plain })
    for (let time = 0; time < 2; time++) {
      expect(await channel.questions({ unsettled: true })).toHaveLength(1)
      expect(read()).toEqual(['ended-1', 'ended-2', 'open', 'torn'])
    }
    expect(await channel.questions()).toHaveLength(3)
  })

  it('knows nothing of another sandbox, though neither says which place it is', async () => {
    const [one, other] = [await workdirWithQuestions(), await workdirWithQuestions()]
    await writeFile(join(other.workdir, questionRecordPath('ended-1')), JSON.stringify(openRecord('ended-1')))
    const sameStamps = { id: undefined, stamps: async () => new Map([['ended-1.json', 'same']]) }
    const list = (files: SandboxFiles) =>
      createFileHostChannel({ files: { ...files, ...sameStamps } }).questions({ unsettled: true })
    expect(await list(one.files)).toEqual([])
    expect(await list(other.files)).toMatchObject([{ toolCallId: 'ended-1' }])
  })
})

describe('following all questions', () => {
  it('reads one that ended, or that is no question, only once until one of its files changes', async () => {
    const { workdir, files, read } = await workdirWithQuestions()
    const { watch: _, ...unwatched } = files
    const clock = createFakeClock()
    const stop = new AbortController()
    const seen: QuestionState[] = []
    const channel = createFileHostChannel({ files: unwatched, clock })
    const following = (async () => {
      for await (const state of channel.subscribe(stop.signal)) seen.push(state)
    })()
    onTestFinished(async () => {
      stop.abort()
      await following
    })
    /** The questions that are read in the next look at everything. */
    const nextLook = async (): Promise<string[]> => {
      await vi.waitFor(() => expect(clock.pending()).toBe(2))
      read()
      clock.advance(20_000)
      await vi.waitFor(() => expect(clock.pending()).toBe(2))
      return read()
    }
    expect(await nextLook()).toEqual(['open'])
    expect(seen.map(({ toolCallId }) => toolCallId).sort()).toEqual(['ended-1', 'ended-2', 'open'])

    await editInPlace(join(workdir, questionRecordPath('ended-1')))
    expect(await nextLook()).toEqual(['ended-1', 'open'])
    expect(seen.at(-1)?.record).toMatchObject({ toolCallId: 'ended-1', runId: 'run-2' })
    await appendFile(join(workdir, '.sandagent/approvals/.ended-2.final'), '{')
    expect(await nextLook()).toEqual(['ended-2', 'open'])
    expect(await nextLook()).toEqual(['open'])
  })
})
