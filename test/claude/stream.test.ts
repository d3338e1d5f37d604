import { describe, expect, it } from 'vitest'
import { aiVersions } from '../support/models/ai-versions.ts'
import { createClaudeWorkspace } from '../support/models/claude-workspace.ts'
import { call, text, thought } from '../support/models/messages-api.ts'
import { messageOf } from '../support/models/ui-message.ts'

const question = {
  question: 'Which?',
  header: 'Choice',
  options: ['A', 'B'].map((label) => ({ label, description: `About ${label}` })),
  multiSelect: false,
}

describe('the stream of a session', () => {
  it('shows the same message to AI SDK 5, 6 and 7', async () => {
    const echo = call('Bash', { command: 'echo hello', description: 'Greet' })
    const fails = call('Read', { file_path: '/does/not/exist' })
    const asked = call('AskUserQuestion', { questions: [question], answers: { 'Which?': 'A' } })
    const { start, answer } = await createClaudeWorkspace([
      [thought('The user wants a greeting.'), text('I will greet.'), echo],
      [fails],
      [asked],
      [text('You chose B.')],
    ])
    const run = start({ allowedTools: ['Bash(echo:*)', 'Read(//does/**)'] })
    await answer(asked.id, { answers: { 'Which?': 'B' } })
    await run.ended

    for (const { ai } of Object.values(aiVersions)) {
      const message = await messageOf(ai, run.stream())
      const tool = { type: 'dynamic-tool', providerExecuted: true }
      expect(message?.parts).toMatchObject([
        { type: 'step-start' },
        { type: 'reasoning', text: 'The user wants a greeting.', state: 'done' },
        { type: 'text', text: 'I will greet.', state: 'done' },
        {
          ...tool,
          toolName: 'Bash',
          toolCallId: echo.id,
          state: 'output-available',
          input: echo.input,
          output: { stdout: 'hello', stderr: '' },
        },
        { type: 'step-start' },
        {
          ...tool,
          toolName: 'Read',
          toolCallId: fails.id,
          state: 'output-error',
          input: fails.input,
          errorText: expect.stringContaining('File does not exist'),
        },
        { type: 'step-start' },
        {
          ...tool,
          toolName: 'AskUserQuestion',
          toolCallId: asked.id,
          state: 'output-available',
          input: { questions: [{ ...question, id: 'q1' }] },
          output: { answers: { 'Which?': 'B' }, status: 'answered' },
        },
        { type: 'step-start' },
        { type: 'text', text: 'You chose B.', state: 'done' },
      ])
      expect(message?.parts).toHaveLength(10)
      expect(message?.metadata).toEqual({
        sessionId: run.sessionId(),
        model: 'claude-sonnet-4-5',
        usage: { inputTokens: 168, outputTokens: 20, totalTokens: 188, cachedInputTokens: 120 },
        costUsd: expect.any(Number),
        durationMs: expect.any(Number),
      })
    }
  })

  it('shows the tools of a subagent, and leaves its words to itself', async () => {
    const agent = call('Agent', {
      description: 'Greet',
      prompt: 'Greet the user',
      subagent_type: 'general-purpose',
      run_in_background: false,
    })
    const echo = call('Bash', { command: 'echo hello', description: 'Greet' })
    const { start } = await createClaudeWorkspace([
      [agent],
      [text('I am a subagent.'), echo],
      [text('Greeted.')],
      [text('All done.')],
    ])
    const run = start({ allowedTools: ['Bash(echo:*)'] })
    await run.ended
    const message = await messageOf(aiVersions['7'].ai, run.stream())
    expect(message?.parts).toMatchObject([
      { type: 'step-start' },
      { toolName: 'Agent', state: 'output-available' },
      { toolName: 'Bash', state: 'output-available', output: 'hello' },
      { type: 'step-start' },
      { type: 'text', text: 'All done.' },
    ])
  })
})
