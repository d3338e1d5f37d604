import { type Outcome, type OutcomeKind, parseQuestions } from '@sandagent/core'
import { describe, expect, it } from 'vitest'
import { toolResultOf, writeOutcome } from '../../src/index.ts'
import { recordUi } from '../ui-recorder.ts'
import { picked } from '../workspace.ts'

const questions = parseQuestions([
  { id: 'a', question: 'First?', multiSelect: true, options: [{ label: 'x' }, { label: 'y, z' }] },
  { id: 'b', question: 'Second?' },
])

const outcome = (kind: OutcomeKind, extra: Partial<Outcome> = {}): Outcome => ({
  kind,
  toolCallId: 'call_1',
  questions,
  answers: {},
  responses: {},
  unanswered: ['a', 'b'],
  settledAt: '2025-01-30T12:00:00.000Z',
  elapsedMs: 1000,
  ...extra,
})

describe('toolResultOf', () => {
  it('gives the questions and text answers of the SandAgent document, and beside them what text loses', () => {
    const responses = { a: picked('x', 'y, z') }
    expect(toolResultOf(outcome('partial', { responses, unanswered: ['b'], answeredBy: 'someone' }))).toEqual(
      {
        output: {
          questions,
          answers: { 'First?': 'x, "y, z"' },
          responses,
          status: 'partial',
          unanswered: ['b'],
          answeredBy: 'someone',
        },
      },
    )
  })

  it('leaves out what there is nothing to say of', () => {
    const result = toolResultOf(outcome('answered', { unanswered: [] }))
    expect(Object.keys('output' in result ? result.output : {})).toEqual([
      'questions',
      'answers',
      'responses',
      'status',
    ])
  })

  it.each(['declined', 'timed-out', 'aborted'] as const)('never makes an output of %s', (kind) => {
    expect(toolResultOf(outcome(kind))).toEqual({ errorText: expect.any(String) })
  })
})

describe('writeOutcome', () => {
  it('ends the tool call with an output or with an error', async () => {
    const { ui, chunks } = recordUi()
    await writeOutcome(ui, outcome('answered'))
    await writeOutcome(ui, outcome('declined', { reason: 'not now' }))
    expect(chunks()).toMatchObject([
      { type: 'tool-output-available', toolCallId: 'call_1' },
      { type: 'tool-output-error', toolCallId: 'call_1', errorText: expect.stringContaining('not now') },
    ])
  })

  it('tells people that a secret was given, and not how it is used', async () => {
    const { ui, chunks } = recordUi()
    const responses = {
      a: picked('x'),
      b: { ...picked(), freeText: 'npx sandagent secret 0123456789abcdef' },
    }
    const secrets = { b: '0123456789abcdef' }
    await writeOutcome(ui, outcome('answered', { responses, secrets, unanswered: [] }))
    expect(chunks()).toMatchObject([
      { output: { responses: { a: picked('x'), b: { freeText: 'given as a secret' } } } },
    ])
    expect(JSON.stringify(chunks())).not.toContain('0123456789abcdef')
  })
})
