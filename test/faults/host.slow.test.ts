import { describe, expect, it } from 'vitest'
import { answered, untilAsked } from './answered.ts'
import { atEveryCall } from './at-every-call.ts'
import { bundledProgram } from './bundled-program.ts'
import { canTrace, type Ending, type Fault, startFaulty } from './faulty-process.ts'
import { expectSynced } from './power-cut.ts'
import { answerOf, createQuestion } from './question.ts'

describe.runIf(canTrace)('a host with a fault at each system call of an answer', () => {
  it('never loses an acknowledged answer, and leaves nothing that blocks another host', async () => {
    const program = await bundledProgram()
    const once = async (fault?: Fault): Promise<Ending> => {
      const question = await createQuestion({ isSigned: false })
      return answered(program, 'submitAnswer', question, { fault })
    }
    await atEveryCall(once, { errors: 'at changes' }) // At every call in the next test.
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
    await untilAsked(question)
    expect(await question.answer('A')).toBe('stored')
    const { workdir, signingKey } = question
    const work = { role: 'submitAnswer' as const, workdir, signingKey, request: answerOf('A') }
    const { told, calls } = await (await startFaulty(await bundledProgram(), work)).ended
    expect(told).toMatchObject({ value: { status: 'completed' } })
    expectSynced(calls, '/approvals')
    await question.expectFinal('A')
  })
})
