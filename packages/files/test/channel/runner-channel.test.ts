import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import {
  type AnswerFile,
  type ChannelWarning,
  parseQuestionRecord,
  type Responses,
  type RunnerChannel,
} from '@sandagent/core'
import { MAX_FILE_BYTES } from '@sandagent/core/internal'
import { noSystemWatches, systemWatches } from '@sandagent/fixtures/system-watches.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createFakeClock } from '@sandagent/testing'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { claimFileName } from '../../src/channel/file-paths.ts'
import { answerFilePath, createFileRunnerChannel, questionRecordPath } from '../../src/internal.ts'
import { answerFileFor, openRecord } from '../records.ts'

beforeEach(noSystemWatches)

interface Opened {
  workdir: string
  channel: RunnerChannel
  /** The answer file. */
  path: string
  warnings: ChannelWarning[]
}

/** A runner that has asked question `t1`. */
async function opened(): Promise<Opened> {
  const workdir = await tempDir()
  const warnings: ChannelWarning[] = []
  const channel = createFileRunnerChannel({ workdir, onWarning: (warning) => warnings.push(warning) })
  await channel.open(openRecord('t1'))
  return { workdir, channel, path: join(workdir, answerFilePath('t1')), warnings }
}

/** Follows the answers to `t1` until the test ends. */
function follow(channel: RunnerChannel): AnswerFile[] {
  const answers = channel.subscribe('t1')
  const seen: AnswerFile[] = []
  const following = (async () => {
    for (let found = await answers.next(); found; found = await answers.next()) seen.push(found)
  })()
  onTestFinished(async () => {
    answers.close()
    await following
  })
  return seen
}

/** Puts a file in place as other programs do that know of atomic writes. */
async function put(path: string, text: string | Buffer): Promise<void> {
  await writeFile(`${path}.other`, text)
  await rename(`${path}.other`, path)
}

const COMPLETED = JSON.stringify(answerFileFor('t1'))

it.runIf(process.platform === 'linux')(
  'tells an asker that its question cannot be written, without the words of the system',
  async () => {
    const asking = createFileRunnerChannel({ workdir: '/proc' }).open(openRecord('t1'))
    const error = await asking.catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'AskError', code: 'UNREACHABLE', cause: { syscall: 'mkdir' } })
    expect((error as Error).message).not.toContain('/')
  },
)

describe('createFileRunnerChannel: asking', () => {
  it('writes a question file that others may not read, and makes the folder for answers', async () => {
    const { workdir } = await opened()
    const text = await readFile(join(workdir, '.sandagent/questions/t1.json'), 'utf8')
    expect(parseQuestionRecord(text, 't1')).toMatchObject(openRecord('t1'))
    expect(await readdir(join(workdir, '.sandagent'))).toEqual(['.gitignore', 'approvals', 'questions'])
  })

  it('asks when the folder for answers may not be made or written', async () => {
    const workdir = await tempDir()
    await mkdir(join(workdir, '.sandagent'))
    await writeFile(join(workdir, '.sandagent/approvals'), 'no folder')
    const channel = createFileRunnerChannel({ workdir })
    await channel.open(openRecord('t1'))
    expect(await channel.read('t1')).toBeNull()
  })

  it('replaces an unreadable question file with a warning', async () => {
    for (const text of ['', '{"version":', '{}']) {
      const workdir = await tempDir()
      const path = join(workdir, questionRecordPath('t1'))
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
      const warnings: ChannelWarning[] = []
      const channel = createFileRunnerChannel({ workdir, onWarning: (warning) => warnings.push(warning) })
      expect(await channel.open(openRecord('t1'))).toMatchObject(openRecord('t1'))
      expect(parseQuestionRecord(await readFile(path, 'utf8'))).toMatchObject(openRecord('t1'))
      expect(warnings).toMatchObject([{ code: 'INVALID_FILE', toolCallId: 't1' }])
    }
  })

  it.each(['removed', 'changed'])(
    'asks again in one process after its question file was %s',
    async (what) => {
      const workdir = await tempDir()
      const channel = createFileRunnerChannel({ workdir })
      await channel.open(openRecord('t1'))
      const path = join(workdir, questionRecordPath('t1'))
      if (what === 'removed') await rm(path)
      else await writeFile(path, JSON.stringify({ ...openRecord('t1'), runId: 'forged' }))
      const again = { ...openRecord('t1'), nonce: 'another' }
      expect(await channel.open(again, { mayAdopt: async () => false })).toMatchObject({ nonce: 'another' })
      expect(parseQuestionRecord(await readFile(path, 'utf8'))).toMatchObject({ nonce: 'another' })
    },
  )

  it('keeps another tool call’s question that stands under its name', async () => {
    const workdir = await tempDir()
    const path = join(workdir, questionRecordPath('t1'))
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, JSON.stringify(openRecord('T1')))
    const channel = createFileRunnerChannel({ workdir })
    await expect(channel.open(openRecord('t1'))).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(parseQuestionRecord(await readFile(path, 'utf8')).toolCallId).toBe('T1')
  })

  it('writes nothing where a linked folder leads', async () => {
    const root = await tempDir()
    const workdir = join(root, 'workdir')
    for (const [link, target] of [
      ['.sandagent', '../outside'],
      ['.sandagent/questions', '../../outside'],
    ] as const) {
      await mkdir(dirname(join(workdir, link)), { recursive: true })
      await mkdir(join(root, 'outside'))
      await symlink(target, join(workdir, link))
      const channel = createFileRunnerChannel({ workdir })
      await expect(channel.open(openRecord('t1'))).rejects.toMatchObject({ code: 'UNSAFE_PATH' })
      expect(await readdir(join(root, 'outside'))).toEqual([])
      await Promise.all([rm(workdir, { recursive: true }), rm(join(root, 'outside'), { recursive: true })])
    }
  })

  it('settles what it asked, even when the question file was spoiled meanwhile', async () => {
    const { workdir, channel } = await opened()
    const path = join(workdir, questionRecordPath('t1'))
    await writeFile(path, 'spoiled')
    const settled = await channel.settle('t1', {
      state: 'answered',
      settledAt: '2026-01-01T00:00:02.000Z',
      responses: {},
    })
    expect(parseQuestionRecord(await readFile(path, 'utf8'))).toEqual(settled)
  })

  it('asks anew where a receipt tells of an answer that the host has not stored', async () => {
    const { workdir, channel, path } = await opened()
    const responses: Responses = { q1: { selected: ['A'], source: 'human' } }
    const settledAt = '2026-01-01T00:00:02.000Z'
    const forged = await channel.settle('t1', { state: 'answered', settledAt, responses, revision: 1 })
    const asked = { ...openRecord('t1'), nonce: 'another' }
    expect(await createFileRunnerChannel({ workdir }).open(asked)).toMatchObject(asked)

    await writeFile(join(workdir, questionRecordPath('t1')), JSON.stringify(forged))
    await writeFile(path, COMPLETED)
    expect(await createFileRunnerChannel({ workdir }).open(asked)).toMatchObject(forged)
  })

  it('never writes among the answers', async () => {
    const { workdir, channel, path } = await opened()
    await writeFile(path, COMPLETED)
    const folder = join(workdir, '.sandagent/approvals')
    await chmod(folder, 0o500)
    onTestFinished(() => chmod(folder, 0o700))
    const answers = channel.subscribe('t1')
    expect(await answers.next()).not.toBeNull()
    answers.close()
    await channel.settle('t1', { state: 'answered', settledAt: '2026-01-01T00:00:02.000Z', responses: {} })
    await createFileRunnerChannel({ workdir }).open(openRecord('t1'))
    expect(await readdir(folder)).toEqual(['t1.json'])
    expect(await readFile(path, 'utf8')).toBe(COMPLETED)
  })
})

describe('createFileRunnerChannel: claims', () => {
  const text = (more: Partial<AnswerFile>): string => JSON.stringify(answerFileFor('t1', more))
  const folderOf = (workdir: string): string => join(workdir, '.sandagent/approvals')

  it('delivers a claim that was never published, also during a wait', async () => {
    const { workdir, channel } = await opened()
    const seen = follow(channel)
    await put(join(folderOf(workdir), '.t1.final'), COMPLETED)
    await vi.waitFor(() => expect(seen).toEqual([answerFileFor('t1')]))
    expect(await channel.read('t1')).toEqual(answerFileFor('t1'))
  })

  it('delivers the claim, though a late draft took the place of the published answer', async () => {
    const { workdir, channel, path } = await opened()
    await put(join(folderOf(workdir), '.t1.final'), COMPLETED)
    await put(path, text({ status: 'pending', revision: 2 }))
    expect(await channel.read('t1')).toEqual(answerFileFor('t1'))
  })

  it('delivers the claim of its own asking beside one of an earlier asking', async () => {
    const { workdir, channel } = await opened()
    const seen = follow(channel)
    await put(join(folderOf(workdir), '.t1.final'), text({ nonce: 'earlier' }))
    await put(join(folderOf(workdir), claimFileName('t1.json', 'nonce')), text({ nonce: 'nonce' }))
    await vi.waitFor(() => expect(seen).toEqual([answerFileFor('t1', { nonce: 'nonce' })]))
    expect(await channel.read('t1')).toEqual(answerFileFor('t1', { nonce: 'nonce' }))
  })

  it('passes over a torn claim with a warning, and over one that is no final answer', async () => {
    const { workdir, channel, path, warnings } = await opened()
    const draft = text({ status: 'pending' })
    await put(path, draft)
    for (const content of ['', COMPLETED.slice(0, 40), draft]) {
      await put(join(folderOf(workdir), '.t1.final'), content)
      expect(await channel.read('t1')).toEqual(answerFileFor('t1', { status: 'pending' }))
    }
    await rm(path)
    await put(join(folderOf(workdir), '.t1.final'), '')
    expect(await channel.read('t1')).toBeNull()
    expect(warnings).toMatchObject([{ code: 'INVALID_FILE', toolCallId: 't1' }])
  })

  it('offers each file until one is accepted', async () => {
    const { workdir, channel, path } = await opened()
    await put(join(folderOf(workdir), '.t1.final'), text({ answeredBy: 'forger' }))
    await put(path, COMPLETED)
    const accept = async (answerFile: AnswerFile) => (answerFile.answeredBy === 'forger' ? null : answerFile)
    expect(await channel.read('t1', { accept })).toEqual(answerFileFor('t1'))
  })
})

describe('createFileRunnerChannel: unreadable answers', () => {
  const UNREADABLE: Record<string, { code: string; make: (path: string) => Promise<unknown> }> = {
    'an empty file': { code: 'INVALID_FILE', make: (path) => put(path, '') },
    'a torn file': { code: 'INVALID_FILE', make: (path) => put(path, COMPLETED.slice(0, 40)) },
    'a file of another type': { code: 'INVALID_FILE', make: (path) => put(path, '[1, 2]') },
    'another tool call’s file': {
      code: 'INVALID_FILE',
      make: (path) => put(path, JSON.stringify(answerFileFor('T1'))),
    },
    'a huge file': { code: 'TOO_LARGE', make: (path) => put(path, ' '.repeat(MAX_FILE_BYTES + 1)) },
    'a file of 1 GB, which takes no space': {
      code: 'TOO_LARGE',
      make: async (path) => {
        await writeFile(`${path}.large`, '')
        await truncate(`${path}.large`, 1e9)
        await rename(`${path}.large`, path)
      },
    },
    'a file that is no UTF-8': {
      code: 'INVALID_FILE',
      make: (path) => put(path, Buffer.from(COMPLETED.replace('"A"', '"\xff\xfe"'), 'latin1')),
    },
    'a link': { code: 'UNSAFE_PATH', make: (path) => symlink('elsewhere.json', path) },
    'a folder': { code: 'UNSAFE_PATH', make: (path) => mkdir(path) },
    'a FIFO': { code: 'UNSAFE_PATH', make: (path) => promisify(execFile)('mkfifo', [path]) },
  }

  it.each(Object.entries(UNREADABLE))('waits on with one warning at %s', async (_, { code, make }) => {
    const { channel, path, warnings } = await opened()
    await writeFile(join(dirname(path), 'elsewhere.json'), COMPLETED)
    const seen = follow(channel)
    await make(path)
    await vi.waitFor(() => expect(warnings).toMatchObject([{ code, toolCallId: 't1' }]))
    expect(await channel.read('t1')).toBeNull()

    await rm(path, { recursive: true })
    await put(path, COMPLETED)
    await vi.waitFor(() => expect(seen).toEqual([answerFileFor('t1')]))
    // One from the wait, one from the direct look.
    expect(warnings).toHaveLength(2)
  })

  it('reads the replacement character that a person typed', async () => {
    const { channel, path } = await opened()
    await put(path, JSON.stringify(answerFileFor('t1', { reason: '\ufffd' })))
    expect(await channel.read('t1')).toEqual(answerFileFor('t1', { reason: '\ufffd' }))
  })

  it('tells each distinct state once, and the same one again after it was fine', async () => {
    const { channel, path, warnings } = await opened()
    const seen = follow(channel)
    const codes = (): string[] => warnings.map(({ code }) => code)
    await put(path, '')
    await vi.waitFor(() => expect(codes()).toEqual(['INVALID_FILE']))
    await put(path, ' '.repeat(MAX_FILE_BYTES + 1))
    await vi.waitFor(() => expect(codes()).toEqual(['INVALID_FILE', 'TOO_LARGE']))
    await put(path, JSON.stringify(answerFileFor('t1', { status: 'pending' })))
    await vi.waitFor(() => expect(seen).toHaveLength(1))
    await put(path, '')
    await vi.waitFor(() => expect(codes()).toEqual(['INVALID_FILE', 'TOO_LARGE', 'INVALID_FILE']))
  })

  it('takes only whole answers from a writer that overwrites in place', async () => {
    const { channel, path, warnings } = await opened()
    const seen = follow(channel)
    const bulk = 'x'.repeat(200_000)
    for (let revision = 1; revision <= 20; revision++) {
      await writeFile(
        path,
        JSON.stringify(answerFileFor('t1', { status: 'pending', revision, reason: bulk })),
      )
      await vi.waitFor(() => expect(seen.at(-1)?.revision).toBe(revision))
    }
    expect(seen.every(({ reason }) => reason === bulk)).toBe(true)
    expect(warnings.every(({ code }) => code === 'INVALID_FILE')).toBe(true)
  })

  it('reads an older writer’s four keys', async () => {
    const { channel, path } = await opened()
    const { questions, answers, status, timestamp } = answerFileFor('t1')
    await writeFile(path, JSON.stringify({ questions, answers, status, timestamp }))
    expect(await channel.read('t1')).toEqual({ questions, answers, status, timestamp })
  })

  it('does not give unchanged content again', async () => {
    const { channel, path } = await opened()
    const seen = follow(channel)
    const draft = (revision: number): string =>
      JSON.stringify(answerFileFor('t1', { status: 'pending', revision }))
    await put(path, draft(1))
    await vi.waitFor(() => expect(seen).toHaveLength(1))
    await put(path, draft(1))
    await put(path, `${draft(1)}\n`)
    await put(path, draft(2))
    await vi.waitFor(() => expect(seen.map(({ revision }) => revision)).toEqual([1, 2]))
  })
})

describe('createFileRunnerChannel: releasing', () => {
  it('leaves no timer and no watch when the last wait ends', async () => {
    const workdir = await tempDir()
    const clock = createFakeClock()
    const channel = createFileRunnerChannel({ workdir, clock })
    const ids = Array.from({ length: 20 }, (_, n) => `t${n}`)
    for (const id of ids) await channel.open(openRecord(id))

    const [first, ...others] = ids.map((id) => channel.subscribe(id))
    const waits = others.map(async (answers) => {
      await answers.next()
      answers.close()
    })
    await vi.waitFor(() => expect([clock.pending(), systemWatches()]).toEqual([2, 1]))
    for (const id of ids) await put(join(workdir, answerFilePath(id)), JSON.stringify(answerFileFor(id)))
    await Promise.all(waits)
    expect([clock.pending(), systemWatches()]).toEqual([2, 1])

    first?.close()
    expect(clock.pending()).toBe(0)
    await vi.waitFor(() => expect(systemWatches()).toBe(0))
  })

  it('releases at once when the subscription is closed, though nobody takes the next answer', async () => {
    const { channel, path } = await opened()
    await writeFile(path, COMPLETED)
    const answers = channel.subscribe('t1')
    await answers.next()
    await vi.waitFor(() => expect(systemWatches()).toBe(1))
    answers.close()
    await vi.waitFor(() => expect(systemWatches()).toBe(0))
  })
})
