import { describe, expect, it, vi } from 'vitest'
import { atEveryCall } from './at-every-call.ts'
import { bundledProgram, canTrace, type Ending, type Fault, startFaulty } from './faulty-process.ts'
import { type AskedQuestion, answerOf, asked, createQuestion } from './question.ts'

const answeredA = { kind: 'answered', responses: answerOf('A').responses }

/** A runner asks, and gets A. Then another one asks, which stands for the same runner after its restart. */
async function askedTwice(program: string, question: AskedQuestion, fault?: Fault): Promise<Ending> {
  const { workdir, signingKey } = question
  const first = await startFaulty(program, { role: 'askUser', workdir, signingKey, request: asked }, fault)
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

  expect(await question.ask(answerIfOpen)).toMatchObject(answeredA)
  await question.expectFinal('A')
  return ending
}

describe.runIf(canTrace)('a runner with a fault at each system call of a question', () => {
  it('gets exactly one final answer, itself or after its restart, and no older one', async () => {
    const program = await bundledProgram()
    const once = async (fault?: Fault): Promise<Ending> => {
      const question = await createQuestion({ isSigned: false })
      await question.leaveOlderAnswer()
      return askedTwice(program, question, fault)
    }
    await atEveryCall(once, { kills: 'at every call' })
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
})
