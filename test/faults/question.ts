import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outcome, RunnerChannel } from '@sandagent/core'
import { AskError } from '@sandagent/core'
import { answerFilePath, createFileRunnerChannel, questionRecordPath } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { type AskOptions, askUser, createVerifiedChannel, receiptsWritten } from '@sandagent/runner'
import {
  type AnswerRequest,
  createSigningKey,
  LocalSandbox,
  listQuestions,
  parseSigningKeys,
  type SigningKeys,
  submitAnswer,
} from '@sandagent/sdk'
import { expect } from 'vitest'
import { answerFile, questionFile } from '../support/question-files.ts'

const questions = [{ id: 'q1', question: 'Which language?', options: [{ label: 'A' }, { label: 'B' }] }]

/** What the agent asks. */
export const asked = { toolCallId: 't1', questions, runId: 'run-1' }

export type Choice = 'A' | 'B'

const responsesOf = (choice: Choice) => ({ q1: { selected: [choice], source: 'human' as const } })

export const answerOf = (choice: Choice): AnswerRequest => ({
  toolCallId: 't1',
  status: 'completed',
  responses: responsesOf(choice),
})

/** The files that may be in the folder of answers: the answer, its claims, and what killed writers left. */
const ANSWER_FILES = /^(?:t1\.json|\.t1(?:~[0-9a-f]+)?\.(?:final|r\d+)|\.[0-9a-f-]{36}\.tmp)$/

/** A workdir with one question, as a host and a runner without faults see it. */
export interface AskedQuestion {
  workdir: string
  signingKey: string | null
  /** Asks as a new process does. */
  ask(options?: Pick<AskOptions, 'onAsked' | 'timeoutMs'>): Promise<Outcome>
  isOpen(): Promise<boolean>
  /** Stores a draft with B. */
  draft(): Promise<void>
  /** Leaves an answer with B in the older format, which does not say to which question it belongs. */
  leaveOlderAnswer(): Promise<void>
  /** Asks and answers a question with the same id, whose record is lost. Its answer and its claim stay. */
  askEarlier(): Promise<void>
  /** Answers as another host does. Resolves to the code of the error, or `stored`. */
  answer(choice: Choice): Promise<string>
  /** Fails unless this choice is the one final answer, for every host and every runner, and in all files. */
  expectFinal(choice: Choice): Promise<void>
}

export async function createQuestion({ isSigned }: { isSigned: boolean }): Promise<AskedQuestion> {
  const workdir = await tempDir()
  const signingKey = isSigned ? await createSigningKey() : null
  const keys = signingKey === null ? null : await parseSigningKeys(signingKey)
  const host = (): LocalSandbox => new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })
  const ask: AskedQuestion['ask'] = (options) => askUser(newChannel(workdir, keys), asked, options)
  const answer: AskedQuestion['answer'] = async (choice) => {
    try {
      await submitAnswer(host(), answerOf(choice), { signingKeys: keys })
      return 'stored'
    } catch (error) {
      if (error instanceof AskError) return error.code
      throw error
    }
  }
  return {
    workdir,
    signingKey,
    ask,
    answer,
    isOpen: async () => (await listQuestions(host())).some(({ state }) => state === 'open'),
    draft: async () =>
      void (await submitAnswer(host(), { ...answerOf('B'), status: 'pending' }, { signingKeys: keys })),
    async leaveOlderAnswer() {
      const answers = { 'Which language?': 'B' }
      const older = { questions, answers, status: 'completed', timestamp: new Date(0).toISOString() }
      await mkdir(join(workdir, '.sandagent/approvals'), { recursive: true })
      await writeFile(join(workdir, answerFilePath('t1')), JSON.stringify(older))
    },
    async askEarlier() {
      await ask({ onAsked: async () => void (await answer('B')) })
      await receiptsWritten()
      await rm(join(workdir, questionRecordPath('t1')))
    },
    async expectFinal(choice) {
      const other = choice === 'A' ? 'B' : 'A'
      await receiptsWritten()
      expect(await ask()).toMatchObject({ kind: 'answered', responses: responsesOf(choice) })
      expect([await answer(other), await answer(choice)]).toEqual(['CONFLICT', 'stored'])
      const written = { responses: responsesOf(choice) }
      expect(await questionFile(workdir, 't1')).toMatchObject({ state: 'answered', ...written })
      expect(await answerFile(workdir, 't1')).toMatchObject({ status: 'completed', ...written })
      const folder = join(workdir, '.sandagent/approvals')
      const names = await readdir(folder)
      expect(names.filter((name) => !ANSWER_FILES.test(name))).toEqual([])
      const textOf = (name: string): Promise<string> =>
        readFile(join(folder, name), 'utf8').catch(() => readFile(join(folder, name, 'claim.json'), 'utf8'))
      const claims = await Promise.all(names.filter((name) => name.endsWith('.final')).map(textOf))
      expect(claims).toContain(await textOf('t1.json'))
    },
  }
}

/** Asks in a workdir. Resolves once the question waits. */
export function asking(workdir: string): Promise<{ outcome: Promise<unknown> }> {
  return new Promise((resolve, reject) => {
    const outcome = askUser(createFileRunnerChannel({ workdir }), asked, {
      onAsked: () => resolve({ outcome }),
    })
    outcome.catch(reject)
  })
}

function newChannel(workdir: string, keys: SigningKeys | null): RunnerChannel {
  const files = createFileRunnerChannel({ workdir })
  return keys === null ? files : createVerifiedChannel(files, { publicKeys: keys.publicKeys })
}
