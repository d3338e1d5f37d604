import { AskError } from '@sandagent/core'
import { expect, it } from 'vitest'
import { decisionOf, outcomeOfError } from '../../src/http/audit.ts'

const at = '2026-01-01T00:00:00.000Z'
const now = Date.parse(at)

it('a decision is a request that succeeded, unless more is known', () => {
  expect(decisionOf({}, now)).toEqual({ at, action: 'request', outcome: 'OK' })
  const facts = {
    action: 'read',
    outcome: 'FORBIDDEN',
    toolCallId: 'x'.repeat(201),
    answeredBy: 'ada',
  } as const
  expect(decisionOf(facts, now)).toEqual({ at, ...facts, toolCallId: 'x'.repeat(200) })
})

it('a failure that is no answer to the client is INTERNAL', () => {
  expect(outcomeOfError(new AskError('GONE', 'Too late'))).toBe('GONE')
  for (const failure of [new Error('A bug'), undefined]) expect(outcomeOfError(failure)).toBe('INTERNAL')
})
