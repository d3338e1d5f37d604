import { readFile } from 'node:fs/promises'
import { AskError, type Fault } from '@sandagent/core'
import { describe, expect, it } from 'vitest'
import { parseScenario } from '../../../src/index.ts'

function faultsOf(input: unknown): readonly Fault[] {
  try {
    parseScenario(input)
  } catch (error) {
    if (error instanceof AskError && error.code === 'INVALID_FILE') return error.faults
    throw error
  }
  return []
}

const ask = { ask: { as: 'setup', questions: [{ id: 'name', question: 'Name?' }] } }

describe('parseScenario', () => {
  it('reads every kind of step', () => {
    const scenario = {
      title: 'All',
      steps: [
        { say: 'Hello, {{prompt}}' },
        ask,
        { write: { path: 'a/{{answers.name}}.txt', content: ['one', '{{json answers.name ?? x}}'] } },
        { run: { command: 'node', args: ['{{output}}'] } },
        {
          when: {
            answer: 'name',
            equals: 'x',
            do: [{ when: { outcome: 'setup', is: ['declined'], do: [] } }],
            else: [{ say: 'no' }],
          },
        },
      ],
    }
    expect(parseScenario(scenario)).toEqual(scenario)
  })

  it('reads the scenario of the demo', async () => {
    const path = new URL('../../../../../.sandagent/scenarios/create-project.json', import.meta.url)
    expect(parseScenario(JSON.parse(await readFile(path, 'utf8'))).steps).not.toHaveLength(0)
  })

  it('lists every fault of form with its place', () => {
    const faults = faultsOf({
      steps: [
        { say: 1 },
        { tell: 'x' },
        'x',
        { ask: { questions: 'none', ifUnanswered: 'panic', timeoutMs: 1e20 } },
        { run: { command: 'x', args: 'y' } },
        { when: { answer: 'a', do: [] } },
        { say: 'x', loud: true },
        null,
      ],
    })
    expect(faults.map(({ path }) => path)).toEqual([
      'steps.0.say',
      'steps.1',
      'steps.2',
      'steps.3.ask.questions',
      'steps.3.ask.timeoutMs',
      'steps.3.ask.ifUnanswered',
      'steps.4.run.args',
      'steps.5.when',
      'steps.6.loud',
      'steps.7',
    ])
    expect(faults[1]?.expected).toBe('an object with one of the keys say, ask, write, run, when')
  })

  it('lists every question that cannot be asked, with its place', () => {
    const faults = faultsOf({ steps: [{ say: 'x' }, { ask: { questions: [{ question: '' }] } }] })
    expect(faults).toEqual([{ path: 'steps.1.ask.questions.0.question', expected: 'text that is not empty' }])
  })

  it('lists every name that stands for nothing', () => {
    const faults = faultsOf({
      steps: [
        ask,
        { say: '{{answers.nmae}}' },
        { write: { path: '{{answer}}', content: 'x' } },
        { when: { answer: 'other', includes: 'x', do: [{ run: { command: 'x', args: ['{{x}}'] } }] } },
        { when: { outcome: 'other', is: ['answered'], do: [] } },
      ],
    })
    expect(faults.map(({ path }) => path)).toEqual([
      'steps.1',
      'steps.2',
      'steps.3.when.answer',
      'steps.3.when.do.0',
      'steps.4.when.outcome',
    ])
    expect(faults[0]?.expected).toBe('one of prompt, output, answers.name, found "answers.nmae"')
  })
})
