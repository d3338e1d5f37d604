import { mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  BoundAnswerFile,
  ChannelWarning,
  HostChannel,
  OpenRecord,
  QuestionState,
} from '@sandagent/core/internal'
import { noSystemWatches, systemWatches } from '@sandagent/fixtures/system-watches.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createFakeClock } from '@sandagent/testing'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { claimFileName } from '../../src/channel/file-paths.ts'
import {
  answerFilePath,
  createFileHostChannel,
  createFileRunnerChannel,
  createLocalFiles,
  questionRecordPath,
  type SandboxFiles,
} from '../../src/internal.ts'
import { OLDER_WRITERS } from '../older-writers.ts'
import { answerFileFor, openRecord } from '../records.ts'

beforeEach(noSystemWatches)

interface Hosted {
  workdir: string
  channel: HostChannel
  warnings: ChannelWarning[]
  folder: string
}

async function hosted(change: (files: SandboxFiles) => SandboxFiles = (files) => files): Promise<Hosted> {
  const workdir = await tempDir()
  const warnings: ChannelWarning[] = []
  const channel = createFileHostChannel({
    files: change(createLocalFiles(workdir)),
    onWarning: (warning) => warnings.push(warning),
  })
  return { workdir, channel, warnings, folder: join(workdir, '.sandagent/approvals') }
}

/** Follows changes until the test ends. */
function follow(channel: HostChannel): QuestionState[] {
  const stop = new AbortController()
  const seen: QuestionState[] = []
  const following = (async () => {
    for await (const state of channel.subscribe(stop.signal)) seen.push(state)
  })()
  onTestFinished(async () => {
    stop.abort()
    await following
  })
  return seen
}

describe('createFileHostChannel: writing', () => {
  it('writes the document’s four keys first, for people to read', async () => {
    const { workdir, channel } = await hosted()
    await channel.write(answerFileFor('t1', { status: 'pending' }), { expectedRevision: 0 })
    const text = await readFile(join(workdir, '.sandagent/approvals/t1.json'), 'utf8')
    expect(Object.keys(JSON.parse(text))).toEqual([
      'questions',
      'answers',
      'status',
      'timestamp',
      'version',
      'toolCallId',
      'revision',
    ])
    expect(text.startsWith('{\n  "questions": [\n')).toBe(true)
  })

  it('keeps answers under any key', async () => {
    const { channel } = await hosted()
    const answers = JSON.parse('{"__proto__": "A", "constructor": "B", "": "C"}')
    await channel.write(answerFileFor('t1', { answers }), { expectedRevision: 0 })
    expect(JSON.stringify((await channel.read('t1')).answerFile?.answers)).toBe(JSON.stringify(answers))
  })

  it('replaces an answer that nobody can read', async () => {
    const { workdir, channel, warnings, folder } = await hosted()
    await mkdir(folder, { recursive: true })
    await writeFile(join(workdir, 'elsewhere'), 'untouched')
    await symlink('../../elsewhere', join(folder, 't1.json'))
    await channel.write(answerFileFor('t1'), { expectedRevision: 0 })
    expect((await channel.read('t1')).answerFile).toEqual(answerFileFor('t1'))
    expect(await readFile(join(workdir, 'elsewhere'), 'utf8')).toBe('untouched')
    expect(warnings).toMatchObject([{ code: 'UNSAFE_PATH', toolCallId: 't1' }])
  })

  it('writes nothing where a linked folder leads', async () => {
    const { workdir, channel, folder } = await hosted()
    await mkdir(join(workdir, '.sandagent'))
    await mkdir(join(workdir, 'outside'))
    await symlink('../outside', folder)
    await expect(channel.write(answerFileFor('t1'), { expectedRevision: 0 })).rejects.toMatchObject({
      code: 'UNREACHABLE',
      cause: { code: 'UNSAFE_PATH' },
    })
    expect(await readdir(join(workdir, 'outside'))).toEqual([])
  })
})

describe('createFileHostChannel: the claim of a final answer', () => {
  /** Stops a host for ever right after it claimed. */
  const dyingAfterClaim = (files: SandboxFiles): SandboxFiles => ({
    ...files,
    async writeAtomic(path, text, { claim } = {}) {
      await files.writeAtomic(join(path, '..', claim as string), text, { exclusive: true })
      throw new Error('died')
    },
  })

  it('is published by the next host that looks, when its own host died in between', async () => {
    const { workdir, channel } = await hosted(dyingAfterClaim)
    await expect(channel.write(answerFileFor('t1'), { expectedRevision: 0 })).rejects.toThrow('died')
    const runner = createFileRunnerChannel({ workdir })
    expect(await runner.read('t1')).toEqual(answerFileFor('t1'))

    const next = createFileHostChannel({ files: createLocalFiles(workdir) })
    expect((await next.read('t1')).answerFile).toEqual(answerFileFor('t1'))
    expect(await runner.read('t1')).toEqual(answerFileFor('t1'))
  })

  it('counts, with a warning, while something keeps it from being published, and ends nobody’s following', async () => {
    const { channel, warnings, folder } = await hosted()
    const seen = follow(channel)
    await channel.write(answerFileFor('other', { status: 'pending' }), { expectedRevision: 0 })
    await mkdir(join(folder, 't1.json'))
    await writeFile(join(folder, '.t1.final'), JSON.stringify(answerFileFor('t1', { status: 'completed' })))
    expect((await channel.read('t1')).answerFile?.status).toBe('completed')
    expect(warnings.map(({ code }) => code)).toContain('EISDIR')
    const answered = answerFileFor('other', { status: 'completed', revision: 2 })
    await channel.write(answered, { expectedRevision: 1 })
    await vi.waitFor(() => expect(seen).toContainEqual({ toolCallId: 'other', answerFile: answered }))
  })

  it('is published by a host that follows changes', async () => {
    const { workdir, channel } = await hosted(dyingAfterClaim)
    const seen = follow(createFileHostChannel({ files: createLocalFiles(workdir) }))
    await expect(channel.write(answerFileFor('t1'), { expectedRevision: 0 })).rejects.toThrow('died')
    await vi.waitFor(() => expect(seen).toEqual([{ toolCallId: 't1', answerFile: answerFileFor('t1') }]))
    expect(await createFileRunnerChannel({ workdir }).read('t1')).toEqual(answerFileFor('t1'))
  })

  it('stands against a draft that was looked up before and written after it', async () => {
    let looks = 0
    const { workdir, channel } = await hosted(({ id: _, ...files }) => ({
      ...files,
      async writeAtomic(path, text, options) {
        // Another host completes between this one's look and its write.
        if (looks++ === 0)
          await createFileHostChannel({ files }).write(answerFileFor('t1', { answeredBy: 'other' }), {
            expectedRevision: 0,
          })
        await files.writeAtomic(path, text, options)
      },
    }))
    await expect(
      channel.write(answerFileFor('t1', { status: 'pending' }), { expectedRevision: 0 }),
    ).rejects.toMatchObject({ code: 'CONFLICT', facts: { answeredBy: 'other', status: 'completed' } })
    expect((await createFileRunnerChannel({ workdir }).read('t1'))?.answeredBy).toBe('other')
  })

  describe.each([
    ['recorded', true],
    ['not recorded', false],
  ])('of a question that is %s', (_, isRecorded) => {
    it.each(OLDER_WRITERS)('stands against an older writer that %s', async (_, overwrite) => {
      const { workdir, channel, folder } = await hosted()
      const runner = createFileRunnerChannel({ workdir })
      if (isRecorded) await runner.open(openRecord('t1'))
      const answerFile = answerFileFor('t1', { nonce: 'nonce' })
      await channel.write({ ...answerFile, answeredBy: 'first' }, { expectedRevision: 0 })
      const names = (await readdir(folder)).sort()
      expect(names).toEqual(['.t1.final', 't1.json'])
      const [claim, file] = await Promise.all(names.map((name) => stat(join(folder, name))))
      expect(file?.ino).toBe(claim?.ino)
      await overwrite(join(folder, 't1.json'), JSON.stringify({ ...answerFile, status: 'declined' }))
      expect((await channel.read('t1')).answerFile?.answeredBy).toBe('first')
      expect((await runner.read('t1'))?.answeredBy).toBe('first')
    })
  })

  const NO_UTF8 = JSON.stringify(answerFileFor('t1', { nonce: 'nonce', answeredBy: '\xff' }))

  it.each(['', '{', NO_UTF8])('is passed over by all when it is torn, as %j is', async (torn) => {
    const { workdir, channel, folder, warnings } = await hosted()
    const runner = createFileRunnerChannel({ workdir })
    await runner.open(openRecord('t1'))
    await writeFile(join(folder, '.t1.final'), torn, 'latin1')
    const answer = answerFileFor('t1', { nonce: 'nonce', answeredBy: 'first' })
    const late = { ...answer, answeredBy: 'late' }
    expect((await channel.read('t1')).answerFile).toBeUndefined()
    await channel.write(answer, { expectedRevision: 0 })
    const other = createFileHostChannel({ files: createLocalFiles(workdir) })
    await expect(other.write(late, { expectedRevision: 0 })).rejects.toMatchObject({
      code: 'CONFLICT',
      facts: { answeredBy: 'first' },
    })
    expect((await other.read('t1')).answerFile).toEqual(answer)
    expect(await runner.read('t1')).toEqual(answer)
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'INVALID_FILE', toolCallId: 't1' }))
  })

  it('is passed over under the second name of its question, or of none', async () => {
    for (const nonce of ['nonce', undefined]) {
      const { workdir, channel, folder } = await hosted()
      if (nonce) await createFileRunnerChannel({ workdir }).open(openRecord('t1'))
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, '.t1.final'), '')
      await channel.write(answerFileFor('t1', nonce ? { nonce } : {}), { expectedRevision: 0 })
      expect((await readdir(folder)).sort()).toEqual(
        ['.t1.final', claimFileName('t1.json', nonce ?? ''), 't1.json'].sort(),
      )
    }
  })

  it('keeps an answer from being stored when it cannot be read', async () => {
    const { channel, folder } = await hosted()
    await mkdir(folder, { recursive: true })
    await symlink('.t1.final', join(folder, '.t1.final'))
    const unreachable = { code: 'UNREACHABLE' }
    await expect(channel.write(answerFileFor('t1'), { expectedRevision: 0 })).rejects.toMatchObject(
      unreachable,
    )
    await expect(channel.read('t1')).rejects.toMatchObject(unreachable)
  })
})

describe('createFileHostChannel: a question asked again under a used id', () => {
  const earlier = answerFileFor('t1', { nonce: 'earlier', answeredBy: 'earlier' })
  const answer = answerFileFor('t1', { nonce: 'nonce', answeredBy: 'later' })

  /** A question whose id was used before: its file went, and its answer file stayed. */
  async function askedAgain(record: OpenRecord = openRecord('t1'), answerFile: BoundAnswerFile = earlier) {
    const host = await hosted()
    await host.channel.write(answerFile, { expectedRevision: 0 })
    const runner = createFileRunnerChannel({ workdir: host.workdir })
    await runner.open(record)
    return { ...host, runner }
  }

  it.each(OLDER_WRITERS)(
    'has no answer yet, and takes one that stays if an older writer %s',
    async (_, overwrite) => {
      const { channel, runner, workdir } = await askedAgain()
      expect((await channel.read('t1')).answerFile).toBeUndefined()
      const draft = { ...answer, status: 'pending' as const }
      await channel.write(draft, { expectedRevision: 0 })
      expect((await channel.read('t1')).answerFile).toEqual(draft)
      await channel.write({ ...answer, revision: 2 }, { expectedRevision: 1 })

      const other = createFileHostChannel({ files: createLocalFiles(workdir) })
      const late = { ...answer, answeredBy: 'late' }
      await expect(other.write(late, { expectedRevision: 0 })).rejects.toMatchObject({
        code: 'CONFLICT',
        facts: { answeredBy: 'later' },
      })
      expect(await runner.read('t1')).toEqual({ ...answer, revision: 2 })
      await overwrite(join(workdir, answerFilePath('t1')), JSON.stringify(earlier))
      expect((await other.read('t1')).answerFile).toEqual({ ...answer, revision: 2 })
      expect(await runner.read('t1')).toEqual({ ...answer, revision: 2 })
    },
  )

  it('refuses an answer to the earlier question', async () => {
    const { channel } = await askedAgain()
    await expect(channel.write(earlier, { expectedRevision: 0 })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await channel.read('t1')).answerFile).toBeUndefined()
  })

  it('counts an answer of an older writer, which names no questionDigest, unless it was there before or permits a call', async () => {
    const { nonce: _, ...older } = earlier
    const again = await askedAgain(openRecord('t1'), older)
    expect((await again.channel.read('t1')).answerFile).toBeUndefined()
    const later = { ...older, timestamp: '2026-01-01T00:00:09.000Z' }
    await writeFile(join(again.folder, 't1.json'), JSON.stringify(later))
    expect((await again.channel.read('t1')).answerFile).toEqual(later)

    const permission: OpenRecord = { ...openRecord('t1'), kind: 'approval' }
    const { channel } = await askedAgain(permission, older)
    expect((await channel.read('t1')).answerFile).toBeUndefined()
    await channel.write(answer, { expectedRevision: 0 })
    expect((await channel.read('t1')).answerFile).toEqual(answer)
  })

  it('keeps its claim inside of the folder, whatever the nonce', async () => {
    const nonce = '../../x'
    const { channel, folder } = await askedAgain({ ...openRecord('t1'), nonce })
    await channel.write({ ...answer, nonce }, { expectedRevision: 0 })
    expect((await readdir(folder)).sort()).toEqual([
      '.t1.final',
      expect.stringMatching(/^\.t1~[0-9a-f]{32}\.final$/),
      't1.json',
    ])
  })
})

describe('createFileHostChannel: reading', () => {
  it('passes over what is no question, with a warning where that is not plain', async () => {
    const { workdir, channel, warnings } = await hosted()
    await createFileRunnerChannel({ workdir }).open(openRecord('t1'))
    const folder = join(workdir, '.sandagent/questions')
    await writeFile(join(folder, '.x.tmp'), 'temporary')
    await writeFile(join(folder, 'notes.txt'), 'other')
    await writeFile(join(folder, 'torn.json'), '{')
    await writeFile(join(folder, 'misnamed.json'), JSON.stringify(openRecord('t2')))
    expect((await channel.questions()).map(({ toolCallId }) => toolCallId)).toEqual(['t1'])
    expect(warnings.map(({ code }) => code)).toEqual(['INVALID_FILE', 'INVALID_FILE'])
    const names = warnings.map(({ message }) => /^\w+\.json/.exec(message)?.[0])
    expect(names.sort()).toEqual(['misnamed.json', 'torn.json'])
  })

  it('lists questions by their age, and those of one moment by their ids', async () => {
    const { workdir, channel } = await hosted()
    const runner = createFileRunnerChannel({ workdir })
    const askedAt = { c: 2, a: 2, b: 1, d: 0 }
    for (const [id, minute] of Object.entries(askedAt))
      await runner.open({ ...openRecord(id), askedAt: `2026-01-01T00:0${minute}:00.000Z` })
    expect((await channel.questions()).map(({ toolCallId }) => toolCallId)).toEqual(['d', 'b', 'a', 'c'])
  })

  it('knows a third-party runner’s question by the name of its answer', async () => {
    const { channel, folder } = await hosted()
    const { questions, answers, status, timestamp } = answerFileFor('t1')
    const answerFile = { questions, answers, status, timestamp }
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 't1.json'), JSON.stringify(answerFile))
    const seen = follow(channel)
    await vi.waitFor(() => expect(seen).toEqual([{ toolCallId: 't1', answerFile }]))
  })

  it('tells of an open question whether its run has ended, and tells it anew when that changes', async () => {
    const { workdir } = await hosted()
    const ended = new Set<string>()
    const channel = createFileHostChannel({
      files: createLocalFiles(workdir),
      hasRunEnded: async ({ runId }) => ended.has(runId),
    })
    const runner = createFileRunnerChannel({ workdir })
    await runner.open(openRecord('t1'))
    const seen = follow(channel)
    await vi.waitFor(() => expect(seen).toHaveLength(1))
    ended.add('run-1')
    await vi.waitFor(() => expect(seen).toHaveLength(2))
    ended.delete('run-1')
    await vi.waitFor(() => expect(seen).toHaveLength(3))
    expect(seen.map(({ runEnded }) => runEnded)).toEqual([undefined, true, undefined])

    ended.add('run-1')
    expect(await channel.read('t1')).toMatchObject({ runEnded: true })
    await runner.settle('t1', { state: 'aborted', settledAt: '2026-01-01T00:00:02.000Z', responses: {} })
    expect(await channel.read('t1')).not.toHaveProperty('runEnded')
  })

  it('warns once of each unreadable file while it follows changes', async () => {
    const { workdir, channel, warnings, folder } = await hosted()
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 't1.json'), '{')
    const seen = follow(channel)
    await vi.waitFor(() => expect(warnings).toHaveLength(1))
    await createFileRunnerChannel({ workdir }).open(openRecord('t2'))
    await vi.waitFor(() => expect(seen).toHaveLength(1))
    await createFileRunnerChannel({ workdir }).open(openRecord('t1'))
    await vi.waitFor(() => expect(seen).toHaveLength(2))
    // The second tells whose file it is, now that its question is known.
    expect(warnings).toMatchObject([{ code: 'INVALID_FILE' }, { code: 'INVALID_FILE', toolCallId: 't1' }])
  })

  it('goes on following when the sandbox cannot be reached for a while', async () => {
    let reachable = false
    const { workdir, channel, warnings } = await hosted(({ watch: _, stamps: __, ...files }) => ({
      ...files,
      async list(directory) {
        if (!reachable) throw Object.assign(new Error('Connection lost'), { code: 'ECONNRESET' })
        return files.list(directory)
      },
    }))
    const seen = follow(channel)
    await createFileRunnerChannel({ workdir }).open(openRecord('t1'))
    await vi.waitFor(() => expect(warnings).toEqual([{ code: 'ECONNRESET', message: 'Connection lost' }]))
    reachable = true
    await vi.waitFor(() => expect(seen).toHaveLength(1))
  })

  it('leaves no timer and no watch when nobody follows any more', async () => {
    const workdir = await tempDir()
    const clock = createFakeClock()
    const channel = createFileHostChannel({ files: createLocalFiles(workdir), clock })
    await createFileRunnerChannel({ workdir }).open(openRecord('t1'))
    const stop = new AbortController()
    const follower = (async () => {
      for await (const _ of channel.subscribe(stop.signal));
    })()
    await vi.waitFor(() => expect([clock.pending(), systemWatches()]).toEqual([2, 2]))
    stop.abort()
    await follower
    expect(clock.pending()).toBe(0)
    await vi.waitFor(() => expect(systemWatches()).toBe(0))
  })

  it('hears of a change by the system’s report, before it would poll', async () => {
    const { workdir } = await hosted()
    const clock = createFakeClock()
    const channel = createFileHostChannel({ files: createLocalFiles(workdir), clock })
    await createFileRunnerChannel({ workdir }).open(openRecord('t1'))
    const seen = follow(channel)
    await vi.waitFor(() => expect(systemWatches()).toBe(2))
    const path = join(workdir, questionRecordPath('t1'))
    await writeFile(`${path}.other`, JSON.stringify({ ...openRecord('t1'), runId: 'run-2' }))
    await rename(`${path}.other`, path)
    await vi.waitFor(() => expect(seen.at(-1)?.record?.runId).toBe('run-2'))
  })

  it('looks less and less often while nothing changes', async () => {
    const { workdir } = await hosted()
    const clock = createFakeClock()
    let lists = 0
    const all = createLocalFiles(workdir)
    const { watch: _watch, stamps: _stamps, ...unwatched } = all
    const files: SandboxFiles = {
      ...unwatched,
      list: (path) => {
        if (path === '.sandagent/questions') lists++
        return all.list(path)
      },
    }
    follow(createFileHostChannel({ files, clock }))
    for (let ms = 0; ms < 10_000; ms += 50) {
      await clock.whenPending()
      clock.advance(50)
    }
    // Half a second between two looks, after the first ones.
    expect(lists).toBeLessThan(40)
  })
})

describe('createFileHostChannel: a folder that somebody has filled', () => {
  const manyRecords = async (workdir: string): Promise<void> => {
    const files = createLocalFiles(workdir)
    const subject = { toolName: 'Bash', input: 'x'.repeat(900_000) }
    for (const name of 'abcdefghijklmnopqrstuvwxyz')
      await files.writeAtomic(questionRecordPath(name), JSON.stringify({ ...openRecord(name), subject }))
  }

  it('lists as much as a host can hold, and says so', async () => {
    const { workdir, channel, warnings } = await hosted()
    await manyRecords(workdir)
    expect(await channel.questions()).toHaveLength(18)
    expect(warnings).toEqual([{ code: 'TOO_LARGE', message: expect.stringContaining('open questions') }])
  })

  it('follows all, a few at a time', async () => {
    const { workdir, channel } = await hosted()
    await manyRecords(workdir)
    const seen = follow(channel)
    await vi.waitFor(() =>
      expect(seen.map(({ toolCallId }) => toolCallId).sort()).toEqual([...'abcdefghijklmnopqrstuvwxyz']),
    )
  })
})
