import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AnswerFile, isMeantFor, type QuestionRecord } from '@sandagent/core/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { answerFileNames, findAnswer } from '../../../src/channel/answers/find-answer.ts'
import { claimFileName } from '../../../src/channel/file-paths.ts'
import { createLocalFiles } from '../../../src/internal.ts'
import { answerFileFor, openRecord } from '../../records.ts'

const record = openRecord('t1')
const published = 't1.json'
const first = claimFileName(published)
const second = claimFileName(published, record.nonce)
const answer = (label: string, more = {}) =>
  answerFileFor('t1', { answers: { 'Which language?': label }, nonce: record.nonce, ...more })

/** What a channel accepts by default. */
const isMeant = async (answerFile: AnswerFile, asked: QuestionRecord | null): Promise<AnswerFile | null> =>
  !asked || isMeantFor(answerFile, asked) ? answerFile : null

/** Looks for the answer among these files. A text is written as it is. */
async function found(contents: Record<string, AnswerFile | string>, asked = true, accept = isMeant) {
  const workdir = await tempDir()
  await mkdir(join(workdir, 'approvals'))
  for (const [name, content] of Object.entries(contents))
    await writeFile(
      join(workdir, 'approvals', name),
      typeof content === 'string' ? content : JSON.stringify(content),
    )
  const question = { toolCallId: 't1', record: asked ? record : null }
  const { answerFile, ...rest } = await findAnswer(createLocalFiles(workdir), 'approvals', question, accept)
  return { label: answerFile?.answers['Which language?'], ...rest }
}

describe('the files that may hold an answer', () => {
  it('are the claims, that of the question last, and the published file', () => {
    expect(answerFileNames({ toolCallId: 't1', record })).toEqual([first, second, published])
    expect(answerFileNames({ toolCallId: 't1', record: null })).toEqual([
      first,
      claimFileName(published, ''),
      published,
    ])
  })
})

describe('the answer to a question', () => {
  it('is none where there is no file', async () => {
    expect(await found({})).toEqual({ label: undefined, isUnknown: false })
  })

  it('is the published one, also while it is a draft', async () => {
    expect(await found({ [published]: answer('A') })).toMatchObject({ label: 'A', isUnknown: false })
    expect(await found({ [published]: answer('A', { status: 'pending' }) })).toMatchObject({ label: 'A' })
  })

  it('is the claim before the published file, and the first claim before the second', async () => {
    expect(await found({ [first]: answer('A'), [published]: answer('B') })).toMatchObject({ label: 'A' })
    expect(await found({ [first]: answer('A'), [second]: answer('B') })).toMatchObject({ label: 'A' })
  })

  it('is the second claim where the first is for another question, torn or no answer', async () => {
    const others = [answer('A', { nonce: 'other' }), answer('A', { status: 'pending' })]
    for (const other of others)
      expect(await found({ [first]: other, [second]: answer('B') })).toMatchObject({ label: 'B' })
    expect(await found({ [first]: '{', [second]: answer('B') })).toMatchObject({
      label: 'B',
      warning: { code: 'INVALID_FILE', toolCallId: 't1' },
      isUnknown: false,
    })
  })

  it('is no second claim where there is no first one: nobody claims there', async () => {
    expect(await found({ [second]: answer('A'), [published]: answer('B') })).toMatchObject({ label: 'B' })
  })

  it('may be for any question where no record tells what is asked', async () => {
    const other = answer('A', { nonce: 'other' })
    expect(await found({ [first]: other, [published]: answer('B') }, false)).toMatchObject({ label: 'A' })
    expect(await found({ [first]: '{', [second]: answer('B') }, false)).toMatchObject({ label: undefined })
  })

  it('is the next one where one is not accepted', async () => {
    const accept = async (file: AnswerFile) => (file.answers['Which language?'] === 'A' ? null : file)
    expect(await found({ [first]: answer('A'), [published]: answer('B') }, true, accept)).toMatchObject({
      label: 'B',
    })
    expect(await found({ [published]: answer('A') }, true, accept)).toMatchObject({ label: undefined })
  })

  it('is unknown where the system fails, and not where a file is at fault', async () => {
    const failing = (error: object) => ({
      ...createLocalFiles('/'),
      read: () => Promise.reject(Object.assign(new Error('failed'), error)),
    })
    const look = (error: object) =>
      findAnswer(failing(error), 'approvals', { toolCallId: 't1', record: null }, isMeant)
    expect(await look({ code: 'EIO' })).toMatchObject({
      answerFile: null,
      isUnknown: true,
      warning: { code: 'EIO' },
    })
    expect(await found({ [published]: '' })).toMatchObject({
      isUnknown: false,
      warning: { code: 'INVALID_FILE' },
    })
  })
})
