import { AskError } from '@sandagent/core'
import { expect, it } from 'vitest'
import { type AskRequest, openRecordOf } from '../../src/ask/ask-request.ts'

const NOW = Date.parse('2026-01-01T00:00:00.000Z')
const request: AskRequest = { toolCallId: 'a', questions: [{ question: 'Which colour?' }], runId: 'run_1' }

it('a request becomes an open record, with its defaults and its deadline', () => {
  const { nonce, ...record } = openRecordOf(request, 60_000, NOW)
  expect(record).toEqual({
    version: 1,
    toolCallId: 'a',
    toolName: 'AskUserQuestion',
    kind: 'question',
    questions: [{ id: 'q1', question: 'Which colour?' }],
    runId: 'run_1',
    timeoutMs: 60_000,
    askedAt: '2026-01-01T00:00:00.000Z',
    deadline: '2026-01-01T00:01:00.000Z',
    state: 'open',
  })
  expect(nonce).not.toBe(openRecordOf(request, 60_000, NOW).nonce)
  expect(openRecordOf(request, 'never', NOW)).toMatchObject({ timeoutMs: 'never', deadline: null })
})

it('a permission carries its call, and a subagent its name', () => {
  const more = {
    toolName: 'Bash',
    kind: 'approval' as const,
    subject: { toolName: 'Bash', input: { command: 'ls' } },
    asker: { agent: 'reviewer', parentToolCallId: 'parent' },
  }
  expect(openRecordOf({ ...request, ...more }, 'never', NOW)).toMatchObject(more)
})

it('optional facts of a call and of a subagent may be undefined', () => {
  const subject = { toolName: 'Bash', input: { command: 'ls' } }
  const optional = { reasons: undefined, editable: undefined, schema: undefined }
  const more = {
    subject: { ...subject, ...optional },
    asker: { agent: 'reviewer', parentToolCallId: undefined },
  }
  const record = openRecordOf({ ...request, ...(more as object) }, 'never', NOW)
  expect(record.subject).toStrictEqual(subject)
  expect(record.asker).toStrictEqual({ agent: 'reviewer' })
})

it('every fault of a request is named', () => {
  const faultsOf = (change: object) => {
    try {
      openRecordOf({ ...request, ...change }, 'never', NOW)
    } catch (error) {
      if (error instanceof AskError) return [error.code, ...error.faults.map(({ path }) => path)]
      throw error
    }
    return []
  }
  expect(faultsOf({ toolCallId: '', toolName: ' ', kind: 'other', runId: 5 })).toEqual([
    'INVALID_REQUEST',
    'toolCallId',
    'toolName',
    'kind',
    'runId',
  ])
  expect(faultsOf({ subject: { toolName: 'Bash' } })[1]).toMatch(/^subject/)
  expect(faultsOf({ asker: { agent: 5 } })[1]).toMatch(/^asker/)
  expect(faultsOf({ questions: [{}] })).toEqual(['INVALID_QUESTIONS', 'questions.0.question'])
  expect(faultsOf({ question: 'Which?' })).toEqual(['INVALID_REQUEST', 'question'])
})
