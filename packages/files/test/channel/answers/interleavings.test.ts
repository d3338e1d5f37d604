import { AskError, type BoundAnswerFile, isMeantFor, type QuestionRecord } from '@sandagent/core/internal'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ClaimOptions } from '../../../src/channel/answers/answer-store.ts'
import { createAnswerStore } from '../../../src/channel/answers/answer-store.ts'
import { findAnswer } from '../../../src/channel/answers/find-answer.ts'
import { questionFileOf } from '../../../src/channel/question-file.ts'
import { versionOf } from '../../../src/channel/records/record-files.ts'
import type { SandboxFiles } from '../../../src/index.ts'
import { answerFileFor, openRecord } from '../../records.ts'

const record: QuestionRecord = openRecord('t1')
const file = questionFileOf('t1')
const FOLDER = 'approvals'

/** What a host does: it adds a word to what is stored, until that is stored. The last word may be final. */
interface Writer {
  words: number
  isFinal: boolean
  /** After so many calls it stands still for ever. */
  livesFor: number
}

/**
 * A folder in memory, whose calls take turns as the scheduler says: no system can be made to do that. A write is done in the
 * steps of `writeFileAtomic`, and others may come in between.
 */
class Folder {
  readonly texts = new Map<string, string>()
  readonly #turn: () => Promise<void>

  constructor(turn: () => Promise<void>) {
    this.#turn = turn
  }

  files(livesFor = Number.POSITIVE_INFINITY): SandboxFiles {
    let left = livesFor
    const step = async <T>(work: () => T): Promise<T> => {
      await this.#turn()
      if (left-- <= 0) await new Promise(() => {})
      return work()
    }
    const creates = (path: string, text: string): void => {
      if (this.texts.has(path)) throw new AskError('CONFLICT', `${path} is there`)
      this.texts.set(path, text)
    }
    const { texts } = this
    return {
      read: (path) => step(() => texts.get(path) ?? null),
      list: () => step(() => [...texts.keys()].map((path) => path.slice(FOLDER.length + 1))),
      remove: (path) => step(() => void texts.delete(path)),
      async writeAtomic(path, text, { exclusive, revision, claim } = {}) {
        for (const name of [revision, claim]) if (name) await step(() => creates(`${FOLDER}/${name}`, text))
        await step(() => (exclusive ? creates(path, text) : texts.set(path, text)))
        if (revision && claim) await step(() => texts.delete(`${FOLDER}/${revision}`))
      },
    }
  }
}

const storeOver = (files: SandboxFiles) => createAnswerStore(files, FOLDER)

const options: ClaimOptions = {
  record,
  warn(warning) {
    throw new Error(warning.message)
  },
  accept: async (given) => (isMeantFor(given, record) ? given : null),
}

const wordsOf = (answerFile: { reason?: string } | null | undefined): string[] =>
  answerFile?.reason?.split(' ').filter(Boolean) ?? []

const answerWith = (words: readonly string[], revision: number, isFinal: boolean): BoundAnswerFile =>
  answerFileFor('t1', {
    nonce: record.nonce,
    revision,
    status: isFinal ? 'completed' : 'pending',
    reason: words.join(' '),
  })

/** Adds words until all are stored, or the question has ended. @returns those that were acknowledged */
async function write(
  files: SandboxFiles,
  name: number,
  { words, isFinal }: Writer,
  acknowledged: string[],
): Promise<void> {
  const store = storeOver(files)
  for (let n = 1; n <= words; ) {
    const found = await store.read(file, options)
    if (found?.answerFile.status === 'completed') return
    const revision = found?.answerFile.revision ?? 0
    const word = `${name}.${n}`
    const answer = answerWith([...wordsOf(found?.answerFile), word], revision + 1, isFinal && n === words)
    const expected = found && versionOf(found.text)
    if ((await store.write(answer, { ...options, expected })) === null) continue
    acknowledged.push(word)
    n++
  }
}

/** Four hosts that store four words each take a tenth of this. */
const MOST_STEPS = 15_000

const writers = fc.array(
  fc.record({
    words: fc.integer({ min: 1, max: 4 }),
    isFinal: fc.boolean(),
    livesFor: fc.oneof(
      { weight: 3, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
      { weight: 1, arbitrary: fc.nat(40) },
    ),
  }),
  { minLength: 2, maxLength: 4 },
)

it.each([
  ['the first ones', 0, 300],
  // Behind the 64th, claims are removed again.
  ['late ones', 62, 60],
])(
  'whatever hosts do at the same time, and wherever they stand still, none loses what another stored: %s',
  async (_, before, numRuns) => {
    const beginning = new Folder(async () => {})
    const drafts = { words: before, isFinal: false, livesFor: 0 }
    await write(beginning.files(), 0, drafts, [])
    const game = fc.asyncProperty(fc.scheduler(), writers, async (scheduler, all) => {
      let steps = 0
      const folder = new Folder(() => {
        if (++steps > MOST_STEPS) throw new Error('The hosts keep each other from storing anything')
        return scheduler.schedule(Promise.resolve())
      })
      const calm = new Folder(async () => {})
      const acknowledged = Array.from({ length: before }, (_, n) => `0.${n + 1}`)
      for (const [path, text] of beginning.texts) folder.texts.set(path, text)

      const ends = all.map((writer, n) => {
        const end = write(folder.files(writer.livesFor), n + 1, writer, acknowledged)
        return writer.livesFor === Number.POSITIVE_INFINITY ? end : Promise.race([end, Promise.resolve()])
      })
      await scheduler.waitFor(Promise.all(ends))

      // What is left is read by hosts and runners that begin now, in peace.
      for (const [path, text] of folder.texts) calm.texts.set(path, text)
      const found = await storeOver(calm.files()).read(file, options)
      const words = wordsOf(found?.answerFile)
      expect(words.filter((word) => acknowledged.includes(word))).toEqual(
        expect.arrayContaining(acknowledged),
      )
      expect(new Set(words).size).toBe(words.length)
      const got = await findAnswer(calm.files(), FOLDER, { toolCallId: 't1', record }, options.accept)
      expect(wordsOf(got.answerFile)).toEqual(words)
    })
    await fc.assert(game, { numRuns })
  },
)
