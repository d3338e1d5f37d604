import type { Question } from '@sandagent/core'
import { expect, it } from 'vitest'
import {
  asking,
  endOf,
  everyPickArrives,
  QUIET_MS,
  tempSandbox,
} from '../support/browser/older-page-clicks.ts'

const extras: Question = {
  question: 'Which extras?',
  multiSelect: true,
  options: ['Tests', 'Docs', 'Yes, always'].map((label) => ({ label })),
}

it('a person who picks several options of a lone multiple choice on such a page gets them all to the agent', async () => {
  const { clock, outcome, page } = await asking(await tempSandbox(), {
    toolCallId: 'lone',
    questions: [extras],
    turns: [0],
  })
  page.selectAnswer(extras.question, 'Tests', true)
  expect((await page.replies()).map(({ status }) => status)).toEqual([200])
  clock.advance(QUIET_MS - 1)
  page.selectAnswer(extras.question, 'Docs', true)
  expect((await page.replies()).map(({ status }) => status)).toEqual([200, 200])
  expect(await endOf(outcome, clock)).toMatchObject({
    kind: 'answered',
    responses: { q1: { selected: ['Tests', 'Docs'] } },
  })
})

it('every pick that such a page shows reaches the agent, for random sequences of clicks', () =>
  everyPickArrives(40))
