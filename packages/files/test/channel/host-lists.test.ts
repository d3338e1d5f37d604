import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ChannelWarning, identityOf, type QuestionRecord } from '@sandagent/core/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createFileHostChannel, createLocalFiles, type SandboxFiles } from '../../src/internal.ts'
import { diskCalls } from '../../src/lib/disk-calls.ts'
import { answerFileFor, openRecord } from '../records.ts'

async function place(change: (files: SandboxFiles) => SandboxFiles = (files) => files) {
  const workdir = await tempDir()
  const state = join(workdir, '.sandagent')
  const warnings: ChannelWarning[] = []
  const hasRunEnded = vi.fn(async (record: QuestionRecord) => record.runId === 'ended')
  const files = createLocalFiles(workdir)
  const channel = createFileHostChannel({
    files: change(files),
    hasRunEnded,
    onWarning: (warning) => warnings.push(warning),
  })
  const put = async (folder: 'questions' | 'approvals', name: string, content: object | string) => {
    await mkdir(join(state, folder), { recursive: true })
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    await writeFile(join(state, folder, name), text)
  }
  return { files, channel, warnings, hasRunEnded, put, state }
}

describe('the states of listed questions', () => {
  it('have the answers, and whether each run has ended, which is looked up once', async () => {
    const { channel, put, hasRunEnded } = await place()
    const records = ['t1', 't2', 't3'].map((id) => ({
      ...openRecord(id),
      runId: id === 't3' ? 'ended' : 'run-1',
    }))
    for (const record of records) await put('questions', `${record.toolCallId}.json`, record)
    const given = answerFileFor('t2', { nonce: 'nonce', status: 'pending' })
    await put('approvals', 't2.json', given)
    const [first, second, third] = records
    expect(await channel.states?.(records)).toEqual([
      { toolCallId: 't1', record: first },
      { toolCallId: 't2', record: second, answerFile: given },
      { toolCallId: 't3', record: third, runEnded: true },
    ])
    expect(hasRunEnded).toHaveBeenCalledTimes(2)
  })

  it('are looked up once for each process of a run', async () => {
    const { channel, hasRunEnded } = await place()
    const record = openRecord('t1')
    await channel.states?.([record, { ...record, process: '1 2 a' }, { ...record, process: '1 3 a' }])
    expect(hasRunEnded).toHaveBeenCalledTimes(3)
  })

  it('have an error in the place of one that cannot be read', async () => {
    const { channel } = await place((files) => ({
      ...files,
      read: (path) =>
        path.includes('t1')
          ? Promise.reject(Object.assign(new Error('read'), { code: 'EIO' }))
          : files.read(path),
    }))
    const states = await channel.states?.([openRecord('t1'), openRecord('t2')])
    expect(states).toMatchObject([{ code: 'UNREACHABLE', facts: { reason: 'EIO' } }, { toolCallId: 't2' }])
  })
})

describe('the questions of older runners', () => {
  const { version: _, toolCallId: __, revision: ___, ...pending } = answerFileFor('t', { status: 'pending' })

  it('are drafts with questions and without a record, by their ids', async () => {
    const { channel, put } = await place()
    await put('questions', 'recorded.json', openRecord('recorded'))
    for (const name of ['b.json', 'a.json', 'recorded.json']) await put('approvals', name, pending)
    await put('approvals', 'empty.json', { ...pending, questions: [] })
    await put('approvals', 'done.json', { ...pending, status: 'completed' })
    await put('approvals', 'notes.txt', 'notes')
    expect((await channel.withoutRecord?.())?.map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b'])
  })

  it('are none where nobody asked', async () => {
    expect(await (await place()).channel.withoutRecord?.()).toEqual([])
  })
})

describe('a question that nobody knows', () => {
  it('may be out of reach where there is no place for questions', async () => {
    const { channel, put, state } = await place()
    expect(await channel.read('t1')).toEqual({ toolCallId: 't1', isUnread: true })
    await put('questions', 't2.json', openRecord('t2'))
    expect(await channel.read('t1')).toEqual({ toolCallId: 't1' })
    await rm(join(state, 'questions'), { recursive: true })
    expect(await channel.read('t1')).toMatchObject({ isUnread: true })
  })
})

describe('an answer to an expected question', () => {
  it('is refused once another question has taken its place', async () => {
    const { channel, put, state } = await place()
    await put('questions', 't1.json', openRecord('t1'))
    const answer = answerFileFor('t1', { nonce: 'nonce' })
    const other = identityOf({ ...openRecord('t1'), nonce: 'earlier' })
    for (const expectedRecord of [other, null])
      await expect(channel.write(answer, { expectedRevision: 0, expectedRecord })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining('Another question'),
      })
    expect(await readdir(state)).toEqual(['questions'])
    const expectedRecord = identityOf(openRecord('t1'))
    expect(await channel.write(answer, { expectedRevision: 0, expectedRecord })).toEqual(openRecord('t1'))
  })

  it('tells no record where there is none', async () => {
    const { channel } = await place()
    const options = { expectedRevision: 0, expectedRecord: null }
    expect(await channel.write(answerFileFor('t1'), options)).toBeUndefined()
  })
})

it('what is stored is synced when that is wanted', async () => {
  const { channel, files, put } = await place()
  await put('approvals', 't1.json', answerFileFor('t1'))
  const sync = vi.spyOn(diskCalls(files.id as string), 'sync')
  onTestFinished(() => sync.mockRestore())
  await channel.persist()
  expect(sync).toHaveBeenCalledOnce()
})
