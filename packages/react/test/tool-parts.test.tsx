import { createToolParts } from '@sandagent/testing'
import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useAskUserQuestion } from '../src/index.ts'
import { LANGUAGE } from './question-card.tsx'

const parts = createToolParts([LANGUAGE])
const transport = { send: async () => ({}) }

it.each([
  ['streaming', parts.streaming(1)],
  ['streaming', parts.approvalRequested()],
  ['waiting', parts.waiting()],
  ['waiting', parts.approvalResponded(true)],
  ['received', parts.answered({ 'Which language?': 'Python' })],
  ['declined', parts.declined('Too early')],
  ['declined', parts.denied()],
  ['expired', parts.timedOut()],
  ['expired', parts.withdrawn()],
  ['expired', parts.failed('The program ended')],
])('the hook is %s with a ready part in the state $1.state', (status, part) => {
  const { result } = renderHook(() => useAskUserQuestion({ part, transport }))
  expect(result.current.status).toBe(status)
  expect(result.current.questions.map(({ question }) => question)).toEqual(['Which language?'])
})
