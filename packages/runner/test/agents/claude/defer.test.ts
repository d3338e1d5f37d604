import { AskError } from '@sandagent/core'
import { expect, it } from 'vitest'
import type { Askers } from '../../../src/agents/claude/askers.ts'
import { deferHook } from '../../../src/agents/claude/defer.ts'
import type { ClaudeQuestions } from '../../../src/agents/claude/questions.ts'

const questions = [
  { question: 'Which?', header: 'H', options: [{ label: 'A' }, { label: 'B' }], multiSelect: false },
]
const call = {
  hook_event_name: 'PreToolUse',
  tool_name: 'AskUserQuestion',
  tool_use_id: 'toolu_1',
  tool_input: { questions },
}
const { signal } = new AbortController()

function start(askFor: () => Promise<unknown>, asker?: object) {
  const asked: unknown[][] = []
  const named: unknown[][] = []
  const asks = {
    askFor: async (...args: unknown[]) => {
      asked.push(args)
      return askFor()
    },
  } as unknown as ClaudeQuestions
  const askers = {
    of: async (...args: unknown[]) => {
      named.push(args)
      return asker
    },
  } as unknown as Askers
  const hook = deferHook(asks, askers, 'run_1', 5000)
  const run = (input: object = call) => hook.hooks[0]?.(input as never, undefined, { signal })
  return { hook, run, asked, named }
}

const defer = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'defer' } }

it('the hook is for questions, and has weeks of time', () => {
  const { matcher, timeout = 0 } = start(async () => null).hook
  expect(matcher).toBe('AskUserQuestion')
  expect(timeout).toBeGreaterThan(14 * 24 * 3600)
  expect(timeout).toBeLessThan((2 ** 31 - 1) / 1000)
})

it('a question without an answer defers its call', async () => {
  const { run, asked, named } = start(async () => null)
  expect(await run()).toEqual(defer)
  expect(named).toEqual([['toolu_1', undefined]])
  expect(asked).toMatchObject([
    [
      5000,
      {
        toolCallId: 'toolu_1',
        toolName: 'AskUserQuestion',
        runId: 'run_1',
        questions: [{ question: 'Which?' }],
      },
      { alone: true, signal },
    ],
  ])
  expect(asked[0]?.[1]).not.toHaveProperty('asker')
})

it('the question of a subagent names it', async () => {
  const asker = { agent: 'reviewer' }
  const { run, asked, named } = start(async () => null, asker)
  await run({ ...call, agent_id: 'agent_1' })
  expect(named).toEqual([['toolu_1', 'agent_1']])
  expect(asked[0]?.[1]).toMatchObject({ asker })
})

it('a question with an outcome goes on', async () => {
  expect(await start(async () => ({ kind: 'answered' })).run()).toEqual({})
})

it('other events go on, and ask nothing', async () => {
  const { run, asked, named } = start(async () => null)
  expect(await run({ ...call, hook_event_name: 'PostToolUse' })).toEqual({})
  expect([asked, named]).toEqual([[], []])
})

it('a question that cannot be asked goes on, so that its call is denied', async () => {
  const { run, asked } = start(async () => null)
  expect(await run({ ...call, tool_input: {} })).toEqual({})
  expect(asked).toEqual([])
  const refuse = async () => {
    throw new AskError('CONFLICT', 'taken')
  }
  expect(await start(refuse).run()).toEqual({})
})

it('another failure is an error', async () => {
  const fail = async () => {
    throw new Error('broken')
  }
  await expect(start(fail).run()).rejects.toThrow('broken')
})
