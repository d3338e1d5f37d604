import type { SDKResultMessage, SDKSystemMessage } from '@anthropic-ai/claude-agent-sdk'
import { describe, expect, it } from 'vitest'
import { resultFacts, sessionFacts } from '../../../src/agents/claude/facts.ts'

it('the facts of a session are its id and its model', () => {
  const message = { type: 'system', subtype: 'init', session_id: 's', model: 'm', cwd: '/' }
  expect(sessionFacts(message as unknown as SDKSystemMessage)).toEqual({ sessionId: 's', model: 'm' })
})

describe('the facts of a result', () => {
  const result = {
    type: 'result',
    subtype: 'success',
    session_id: 's',
    usage: {
      input_tokens: 1,
      cache_creation_input_tokens: 20,
      cache_read_input_tokens: 300,
      output_tokens: 4000,
    },
    total_cost_usd: 0.5,
    duration_ms: 1500,
  }
  const factsOf = (more: object) => resultFacts({ ...result, ...more } as unknown as SDKResultMessage)

  it('count every token of the input, and say how many came from the cache', () => {
    expect(factsOf({})).toEqual({
      sessionId: 's',
      usage: { inputTokens: 321, outputTokens: 4000, totalTokens: 4321, cachedInputTokens: 300 },
      costUsd: 0.5,
      durationMs: 1500,
    })
  })

  it('name the call that ended the run, of a success only', () => {
    const deferred_tool_use = { id: 'toolu_1', name: 'AskUserQuestion', input: {} }
    expect(factsOf({ deferred_tool_use }).deferred).toEqual({ toolCallId: 'toolu_1' })
    expect(factsOf({ deferred_tool_use, subtype: 'error_max_turns' })).not.toHaveProperty('deferred')
  })
})
