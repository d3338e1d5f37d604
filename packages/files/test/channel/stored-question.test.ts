import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AnswerFile, fileNameOf } from '@sandagent/core/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { createAnswerStore } from '../../src/channel/answers/answer-store.ts'
import { parseRecord, readRecord, readStored } from '../../src/channel/stored-question.ts'
import { createLocalFiles } from '../../src/internal.ts'
import { answerFileFor, openRecord } from '../records.ts'

async function place(records: Record<string, object>, answers: Record<string, object> = {}) {
  const workdir = await tempDir()
  for (const [folder, contents] of Object.entries({ questions: records, approvals: answers })) {
    await mkdir(join(workdir, folder))
    for (const [name, content] of Object.entries(contents))
      await writeFile(join(workdir, folder, name), JSON.stringify(content))
  }
  const files = createLocalFiles(workdir)
  const stored = { files, questionsFolder: 'questions', approvals: createAnswerStore(files, 'approvals') }
  const options = { accept: async (answerFile: AnswerFile) => answerFile, warn: () => {} }
  return {
    record: async (fileName: string, toolCallId?: string) =>
      (await readRecord(files, 'questions', { fileName, toolCallId }))?.parsed ?? null,
    async state(fileName: string, toolCallId?: string) {
      const found = await readStored(stored, { fileName, toolCallId }, options)
      if (!found) return null
      const { parsed, accepted } = found
      return {
        toolCallId: found.toolCallId,
        ...(parsed && { record: parsed }),
        ...(accepted && { answerFile: accepted }),
      }
    },
  }
}

describe('the record of a question', () => {
  it('is read where it belongs', async () => {
    const { record } = await place({ 't1.json': openRecord('t1') })
    expect(await record('t1.json')).toEqual(openRecord('t1'))
    expect(await record('t1.json', 't1')).toEqual(openRecord('t1'))
    expect(await record('t2.json', 't2')).toBeNull()
  })

  it('is refused under another name, or where another call is looked for', async () => {
    const { record } = await place({ 't1.json': openRecord('t2') })
    await expect(record('t1.json')).rejects.toMatchObject({
      code: 'INVALID_FILE',
      message: expect.stringContaining('t1.json is not where'),
    })
    await expect(record('t1.json', 't1')).rejects.toMatchObject({
      code: 'INVALID_FILE',
      facts: { toolCallId: 't2' },
    })
    const text = JSON.stringify(openRecord('t2'))
    expect(() => parseRecord(text, { fileName: 't1.json' })).toThrow('is not where')
    expect(parseRecord(text, { fileName: 't2.json' })).toEqual(openRecord('t2'))
  })
})

describe('the state of a question', () => {
  it('has the record, the answer, or both', async () => {
    const [asked, given] = [openRecord('t1'), answerFileFor('t1')]
    expect(await (await place({ 't1.json': asked })).state('t1.json')).toEqual({
      toolCallId: 't1',
      record: asked,
    })
    expect(await (await place({ 't1.json': asked }, { 't1.json': given })).state('t1.json')).toEqual({
      toolCallId: 't1',
      record: asked,
      answerFile: given,
    })
    expect(await (await place({}, { 't1.json': given })).state('t1.json')).toEqual({
      toolCallId: 't1',
      answerFile: given,
    })
    expect(await (await place({})).state('t1.json', 't1')).toBeNull()
  })

  it('of an older writer has the call that the name of its file tells', async () => {
    const { toolCallId: _, version: __, revision: ___, ...older } = answerFileFor('t1')
    expect(await (await place({}, { 't1.json': older })).state('t1.json')).toMatchObject({ toolCallId: 't1' })
    const hashed = fileNameOf('a/b')
    const { state } = await place({}, { [hashed]: older })
    expect(await state(hashed)).toBeNull()
    expect(await state(hashed, 'a/b')).toMatchObject({ toolCallId: 'a/b' })
    expect(
      await (await place({}, { [hashed]: { ...older, toolCallId: 'a/b' } })).state(hashed),
    ).toMatchObject({
      toolCallId: 'a/b',
    })
    expect(await (await place({}, { 't1.json': { ...older, toolCallId: 't2' } })).state('t1.json')).toBeNull()
  })
})
