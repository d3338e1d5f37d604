import { questionRecordPath } from '@sandagent/files'
import { receiptsWritten } from '@sandagent/runner'
import { describe, expect, it, vi } from 'vitest'
import { exists, questionFile } from '../support/question-files.ts'
import { atEveryCall } from './at-every-call.ts'
import { bundledProgram } from './bundled-program.ts'
import { canTrace, type Ending, type Fault, startFaulty } from './faulty-process.ts'
import { type AskedQuestion, answerOf, asked, createQuestion } from './question.ts'

const answeredA = { kind: 'answered', responses: answerOf('A').responses }

/** A runner asks, and gets A. Then another one asks, which stands for the same runner after its restart. */
async function askedTwice(program: string, question: AskedQuestion, fault?: Fault): Promise<Ending> {
  const { workdir, signingKey } = question
  const work = { role: 'askUser' as const, workdir, signingKey, request: asked }
  const first = await startFaulty(program, work, { fault })
  await vi.waitFor(async () => {
    if (!first.hasEnded() && !((await question.isOpen()) && (await first.isWaiting())))
      throw new Error('It asks')
  })
  const answerIfOpen = async (): Promise<void> => {
    if (await question.isOpen()) expect(await question.answer('A')).toBe('stored')
  }
  await answerIfOpen()
  const ending = await first.ended
  const { told } = ending
  if (told && 'value' in told) expect(told.value).toMatchObject(answeredA)

  expect(await question.ask({ onAsked: answerIfOpen })).toMatchObject(answeredA)
  await question.expectFinal('A')
  return ending
}

/**
 * A runner asks, and its time runs out. A comes when it is gone or, after odd calls, while it asks. Then another runner asks,
 * which stands for the same one after its restart.
 */
async function timedOut(program: string, question: AskedQuestion, fault?: Fault): Promise<Ending> {
  const { workdir, signingKey } = question
  const work = { role: 'askUser' as const, workdir, signingKey, request: asked, timeoutMs: TIMEOUT_MS }
  const first = await startFaulty(program, work, { fault })
  const isThere = (): Promise<boolean> => exists(workdir, questionRecordPath('t1'))
  if ((fault?.call.ordinal ?? 0) % 2 === 0) await first.ended
  else await vi.waitUntil(async () => first.hasEnded() || (await isThere()), PATIENCE)
  const code = (await isThere()) ? await question.answer('A') : 'not asked'
  const ending = await first.ended
  const { told } = ending

  const outcome = await question.ask({ timeoutMs: TIMEOUT_MS })
  await receiptsWritten()
  const isAnswered = outcome.kind === 'answered'
  expect(isAnswered ? ['stored', 'UNREACHABLE'] : ['GONE', 'UNREACHABLE', 'not asked']).toContain(code)
  expect(outcome).toMatchObject(isAnswered ? answeredA : { kind: 'timed-out', responses: {} })
  if (told && 'value' in told) expect(told.value).toMatchObject({ kind: outcome.kind })
  const codes = [await question.answer('A'), await question.answer('B')]
  expect(codes).toEqual(isAnswered ? ['stored', 'CONFLICT'] : ['GONE', 'GONE'])
  expect(await questionFile(workdir, 't1')).toMatchObject({ state: outcome.kind })
  return ending
}

const TIMEOUT_MS = 50
const PATIENCE = { timeout: 30_000, interval: 10 }

describe.runIf(canTrace)('a runner with a fault at each system call of a question', () => {
  it('gets exactly one final answer, itself or after its restart, and no older one', async () => {
    const program = await bundledProgram()
    const once = async (fault?: Fault): Promise<Ending> => {
      const question = await createQuestion({ isSigned: false })
      await question.leaveOlderAnswer()
      return askedTwice(program, question, fault)
    }
    await atEveryCall(once, { errors: 'at changes' }) // At every call in the next test.
  }, 900_000)

  it('gets one that is signed, and not an earlier one of the same id', async () => {
    const program = await bundledProgram()
    const once = async (fault?: Fault): Promise<Ending> => {
      const question = await createQuestion({ isSigned: true })
      await question.askEarlier()
      return askedTwice(program, question, fault)
    }
    await atEveryCall(once, { kills: 'at changes' })
  }, 900_000)

  it('gets every acknowledged answer before its time is up, and no other one', async () => {
    const program = await bundledProgram()
    const once = async (fault?: Fault): Promise<Ending> =>
      timedOut(program, await createQuestion({ isSigned: false }), fault)
    await atEveryCall(once, { kills: 'at changes', errors: 'at changes' })
  }, 900_000)
})
