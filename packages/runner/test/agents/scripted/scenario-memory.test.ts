import { type Outcome, parseQuestions } from '@sandagent/core'
import { expect, it } from 'vitest'
import { ScenarioMemory } from '../../../src/agents/scripted/scenario-memory.ts'
import { picked, typed } from '../../workspace.ts'

const options = [{ label: 'Red' }, { label: 'Blue' }]
const outcome = (kind: Outcome['kind'], responses: Outcome['responses']): Outcome => ({
  kind,
  toolCallId: 'a',
  questions: parseQuestions([
    { id: 'colour', question: 'Colour?', options },
    { id: 'extras', question: 'Extras?', options, multiSelect: true },
    { id: 'name', question: 'Name?' },
  ]),
  answers: {},
  responses,
  unanswered: [],
  settledAt: '2026-01-01T00:00:00.000Z',
  elapsedMs: 1,
})

it('texts are filled with the prompt, the output and the answers', () => {
  const memory = new ScenarioMemory('Paint it')
  const template = '{{prompt}}|{{output}}|{{answers.colour}}|{{answers.extras}}|{{answers.name}}'
  expect(memory.fill(template)).toBe('Paint it||||')
  memory.rememberOutput('done')
  memory.remember(
    outcome('answered', { colour: picked('Red'), extras: picked('Red', 'Blue'), name: typed(' it ') }),
    undefined,
  )
  expect(memory.fill(template)).toBe('Paint it|done|Red|Red, Blue|it')
})

it('a condition on an answer holds for exactly one text, or for one of several', () => {
  const memory = new ScenarioMemory('')
  const equals = (answer: string, text: string) => memory.holds({ answer, equals: text })
  const includes = (answer: string, text: string) => memory.holds({ answer, includes: text })
  expect([equals('colour', 'Red'), includes('colour', 'Red')]).toEqual([false, false])
  memory.remember(outcome('answered', { colour: picked('Red'), extras: picked('Red', 'Blue') }), undefined)
  expect([equals('colour', 'Red'), equals('colour', 'Blue'), includes('colour', 'Red')]).toEqual([
    true,
    false,
    true,
  ])
  expect([equals('extras', 'Red'), includes('extras', 'Blue'), includes('extras', 'Green')]).toEqual([
    false,
    true,
    false,
  ])
  expect([equals('name', ''), includes('name', '')]).toEqual([false, false])
})

it('a condition on an outcome holds for a call that was named and ended like this', () => {
  const memory = new ScenarioMemory('')
  const is = (name: string, ...kinds: Outcome['kind'][]) => memory.holds({ outcome: name, is: kinds })
  memory.remember(outcome('declined', {}), undefined)
  expect(is('setup', 'declined')).toBe(false)
  memory.remember(outcome('declined', {}), 'setup')
  expect([is('setup', 'answered', 'declined'), is('setup', 'answered'), is('other', 'declined')]).toEqual([
    true,
    false,
    false,
  ])
})

it('the last approval is remembered', () => {
  const memory = new ScenarioMemory('')
  const was = (equals: string) => memory.holds({ answer: 'permission', equals })
  memory.rememberApproval(true)
  expect([was('allowed'), was('denied')]).toEqual([true, false])
  memory.rememberApproval(false)
  expect([was('allowed'), was('denied')]).toEqual([false, true])
})
