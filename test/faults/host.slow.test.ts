import { describe, expect, it } from 'vitest'
import { atEveryCall } from './at-every-call.ts'
import {
  bundledProgram,
  type Circumstances,
  canTrace,
  type Ending,
  type Fault,
  startFaulty,
} from './faulty-process.ts'
import { expectSynced } from './power-cut.ts'
import { type AskedQuestion, answerOf, createQuestion } from './question.ts'

type Role = 'submitAnswer' | 'answerHandler'

/** A host answers A. Then another host answers: A first after even calls, B first after the others. */
async function answered(
  program: string,
  role: Role,
  question: AskedQuestion,
  circumstances: Circumstances = {},
): Promise<Ending> {
  const { fault } = circumstances
  const { workdir, signingKey } = question
  const { outcome } = await asking(question)
  if (role === 'answerHandler') await question.draft()
  const work = { role, workdir, signingKey, request: answerOf('A') }
  const ending = await (await startFaulty(program, work, circumstances)).ended
  const { told } = ending

  const isAcknowledged = told !== null && 'value' in told
  // Nobody else repairs anything before the agent has an answer that was acknowledged.
  if (isAcknowledged) await outcome
  const order = (fault?.call.ordinal ?? 0) % 2 === 0 ? (['A', 'B'] as const) : (['B', 'A'] as const)
  const codes = Object.fromEntries([
    [order[0], await question.answer(order[0])],
    [order[1], await question.answer(order[1])],
  ])
  const final = codes.A === 'stored' ? 'A' : 'B'
  expect(codes).toEqual({ A: 'CONFLICT', B: 'CONFLICT', [final]: 'stored' })
  if (isAcknowledged) expect(final).toBe('A')
  expect(await outcome).toMatchObject({ kind: 'answered', responses: answerOf(final).responses })
  await question.expectFinal(final)
  return ending
}

/** Resolves when the question can be answered. */
function asking(question: AskedQuestion): Promise<{ outcome: Promise<unknown> }> {
  return new Promise((resolve, reject) => {
    const outcome = question.ask({ onAsked: () => resolve({ outcome }) })
    outcome.catch(reject)
  })
}

describe.runIf(canTrace)('a host with a fault at each system call of an answer', () => {
  it('never loses an acknowledged answer, and leaves nothing that blocks another host', async () => {
    const program = await bundledProgram()
    const once = async (fault?: Fault): Promise<Ending> => {
      const question = await createQuestion({ isSigned: false })
      return answered(program, 'submitAnswer', question, { fault })
    }
    await atEveryCall(once)
  }, 900_000)

  it('neither does an answer handler that signs, after a draft and an earlier answer of the same id', async () => {
    const program = await bundledProgram()
    const once = async (fault?: Fault): Promise<Ending> => {
      const question = await createQuestion({ isSigned: true })
      await question.askEarlier()
      return answered(program, 'answerHandler', question, { fault })
    }
    await atEveryCall(once, { kills: 'at changes' })
  }, 900_000)

  it('does not do so without hard links either, where a claim is a folder', async () => {
    const program = await bundledProgram()
    const once = async (fault?: Fault): Promise<Ending> =>
      answered(program, 'submitAnswer', await createQuestion({ isSigned: false }), { fault, hasLinks: false })
    await atEveryCall(once, { kills: 'at changes', errors: 'at changes' })
  }, 900_000)

  it('acknowledges an answer once it survives a power cut', async () => {
    const ending = await answered(
      await bundledProgram(),
      'submitAnswer',
      await createQuestion({ isSigned: false }),
    )
    expect(ending.calls.map(({ name }) => name)).toContain('link')
    expectSynced(ending.calls, '/approvals')
  })

  it('acknowledges the answer of another host once it survives a power cut', async () => {
    const question = await createQuestion({ isSigned: false })
    await asking(question)
    expect(await question.answer('A')).toBe('stored')
    const { workdir, signingKey } = question
    const work = { role: 'submitAnswer' as const, workdir, signingKey, request: answerOf('A') }
    const { told, calls } = await (await startFaulty(await bundledProgram(), work)).ended
    expect(told).toMatchObject({ value: { status: 'completed' } })
    expectSynced(calls, '/approvals')
    await question.expectFinal('A')
  })
})
