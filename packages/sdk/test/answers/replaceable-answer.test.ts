import { describe, expect, it } from 'vitest'
import { channelOf } from '../../src/answers/sandbox-channel.ts'
import { storeAnswer } from '../../src/answers/store-answer.ts'
import { submitAnswer } from '../../src/index.ts'
import { answerFile, ask, refusalOf, settle, tempSandbox } from '../support/temp-sandbox.ts'

const questions = [
  { question: 'Which extras?', multiSelect: true, options: [{ label: 'Tests' }, { label: 'Docs' }] },
]
const picks = (labels: string) => ({ toolCallId: 'c', answers: { 'Which extras?': labels } })

async function asked() {
  const sandbox = await tempSandbox()
  await ask(sandbox, 'c', questions)
  return sandbox
}

describe('a complete answer without a status', () => {
  it('is replaced by the next one, and by a draft, until the runner has taken it', async () => {
    const sandbox = await asked()
    await submitAnswer(sandbox, picks('Tests'))
    await submitAnswer(sandbox, picks('Tests, Docs'))
    expect(await answerFile(sandbox, 'c')).toMatchObject({ answers: { 'Which extras?': 'Tests, Docs' } })
    expect(await submitAnswer(sandbox, picks(''))).toMatchObject({ status: 'pending' })
    expect(await submitAnswer(sandbox, picks('Docs'))).toMatchObject({ status: 'completed', revision: 4 })
    await settle(sandbox, 'c', {
      state: 'answered',
      revision: 4,
      responses: { q1: { selected: ['Docs'], source: 'human' } },
    })
    expect(await submitAnswer(sandbox, picks('Docs'))).toMatchObject({ revision: 4 })
    expect(await refusalOf(submitAnswer(sandbox, picks('Tests')))).toMatchObject({ code: 'CONFLICT' })
  })

  it('is not replaced by one that came before it', async () => {
    const sandbox = await asked()
    const store = (labels: string, arrivedAt: number) =>
      storeAnswer(channelOf(sandbox), picks(labels), { arrivedAt })
    const now = Date.now()
    await store('Tests, Docs', now + 1)
    expect(await store('Tests', now)).toMatchObject({ status: 'completed', revision: 1 })
    expect(await answerFile(sandbox, 'c')).toMatchObject({ answers: { 'Which extras?': 'Tests, Docs' } })
  })

  it('is not replaced by another person', async () => {
    const sandbox = await asked()
    await submitAnswer(sandbox, picks('Tests'), { answeredBy: 'ada' })
    const refusal = await refusalOf(submitAnswer(sandbox, picks('Docs'), { answeredBy: 'bob' }))
    expect(refusal).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('ada') })
  })

  it('gives way to one that is final, which nothing replaces', async () => {
    const sandbox = await asked()
    await submitAnswer(sandbox, picks('Tests'))
    await submitAnswer(sandbox, { ...picks('Docs'), status: 'completed' })
    expect(await refusalOf(submitAnswer(sandbox, picks('Tests')))).toMatchObject({ code: 'CONFLICT' })
  })
})
