import { expect } from 'vitest'
import { type Circumstances, type Ending, startFaulty } from './faulty-process.ts'
import { type AskedQuestion, answerOf } from './question.ts'

type Role = 'submitAnswer' | 'answerHandler'

/**
 * A host answers A, under some circumstances. Then another host answers: A first after even calls, B first after the
 * others. Fails unless exactly one answer is final for all of them.
 */
export async function answered(
  program: string,
  role: Role,
  question: AskedQuestion,
  circumstances: Circumstances = {},
): Promise<Ending> {
  const { fault } = circumstances
  const { workdir, signingKey } = question
  const { outcome } = await untilAsked(question)
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
export function untilAsked(question: AskedQuestion): Promise<{ outcome: Promise<unknown> }> {
  return new Promise((resolve, reject) => {
    const outcome = question.ask({ onAsked: () => resolve({ outcome }) })
    outcome.catch(reject)
  })
}
