import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { createClaudeWorkspace } from '../support/models/claude-workspace.ts'
import { call, text } from '../support/models/messages-api.ts'

const bash = (command: string) => call('Bash', { command, description: 'Make a file' })
const permit = (selected: string, more: object = {}) => ({
  responses: { permission: { selected: [selected], source: 'human' as const, ...more } },
})

describe('a tool that needs a permission', () => {
  it('is asked for with its whole input, and runs once when it is allowed once', async () => {
    const first = bash('echo one > one.txt && cat one.txt')
    const second = bash('echo one > one.txt && cat one.txt')
    const { api, sandbox, start, answer, asked } = await createClaudeWorkspace([[first], [second]])
    const run = start()
    expect(await asked(first.id)).toMatchObject({
      toolName: 'Bash',
      kind: 'approval',
      subject: { toolName: 'Bash', input: first.input },
      questions: [
        {
          question: 'May the agent use Bash?',
          options: [{ label: 'Allow once' }, { label: 'Allow for this session' }, { label: 'Deny' }],
        },
      ],
    })
    await answer(first.id, permit('allow-once'))
    await answer(second.id, permit('deny'))
    await run.ended
    expect(api.resultOf(first.id)).toEqual({ text: 'one', isError: false })
    expect(api.resultOf(second.id)).toMatchObject({ isError: true })
    expect(await readdir(sandbox.workdir)).toContain('one.txt')
  })

  it('runs again without asking when it is allowed for the session', async () => {
    const first = bash('touch one.txt && ls')
    const second = bash('touch two.txt && ls')
    const { api, sandbox, start, answer, asked, record } = await createClaudeWorkspace([[first], [second]])
    const run = start()
    expect((await asked(first.id)).questions[0]?.options?.[1]).toEqual({
      value: 'allow-session',
      label: 'Allow for this session',
      description: `Until the session ends, without asking: allow Bash(touch one.txt && ls); work in ${sandbox.workdir}; change files in the folders it works in`,
    })
    await answer(first.id, permit('allow-session'))
    await run.ended
    expect(api.resultOf(first.id)).toEqual({ text: 'one.txt', isError: false })
    expect(api.resultOf(second.id)).toEqual({ text: 'one.txt\ntwo.txt', isError: false })
    expect(await record(second.id)).toBeUndefined()
  })

  it('does not run when it is denied, and the model reads why', async () => {
    const touch = bash('touch file.txt')
    const { api, sandbox, start, answer } = await createClaudeWorkspace([[touch]])
    const run = start()
    await answer(touch.id, permit('deny', { notes: 'Not in this "folder"' }))
    await run.ended
    expect(api.resultOf(touch.id)).toEqual({
      text: 'Bash was not run. The user denied it, saying "Not in this \\"folder\\"". Do not try to reach the same in another way; go on without it, or stop and say what you need.',
      isError: true,
    })
    expect(await readdir(sandbox.workdir)).toEqual(['.sandagent'])
  })

  it('does not run when nobody decided in time', async () => {
    const touch = bash('touch file.txt')
    const { api, sandbox, start } = await createClaudeWorkspace([[touch]])
    await start({}, { timeoutMs: 200 }).ended
    expect(api.resultOf(touch.id)).toMatchObject({
      text: expect.stringMatching(
        /^Bash was not run\. Nobody answered within [\d.]+ m?s\. This is not a decision of the user\./,
      ),
      isError: true,
    })
    expect(await readdir(sandbox.workdir)).toEqual(['.sandagent'])
  })

  it('offers no permission for the session where the binary knows no rule for it', async () => {
    const nested = bash('echo $(date) > now.txt')
    const { start, answer, asked } = await createClaudeWorkspace([[nested]])
    const run = start()
    const [question] = (await asked(nested.id)).questions
    expect(question?.options?.map(({ label }) => label)).toEqual(['Allow once', 'Deny'])
    await answer(nested.id, permit('deny'))
    await run.ended
  })

  it('runs without asking when it was allowed from the start', async () => {
    const echo = bash('echo one > one.txt && cat one.txt')
    const { api, start, record } = await createClaudeWorkspace([[echo]])
    await start({ allowedTools: ['Bash'] }).ended
    expect(api.resultOf(echo.id)).toEqual({ text: 'one', isError: false })
    expect(await record(echo.id)).toBeUndefined()
  })
})

describe('a subagent', () => {
  const agent = call('Agent', {
    description: 'Make a file',
    prompt: 'Make a file',
    subagent_type: 'general-purpose',
    run_in_background: false,
  })

  it('is named by the approval of its call', async () => {
    const touch = bash('touch file.txt')
    const { api, start, answer, asked } = await createClaudeWorkspace([[agent], [touch], [text('Done.')]])
    const run = start()
    expect((await asked(touch.id)).asker).toEqual({ agent: 'general-purpose', parentToolCallId: agent.id })
    await answer(touch.id, permit('allow-once'))
    await run.ended
    expect(api.resultOf(touch.id)).toMatchObject({ isError: false })
  })

  it('cannot ask a question: Claude Code has no such tool for it', async () => {
    const options = ['A', 'B'].map((label) => ({ label, description: label }))
    const question = { question: 'Which?', header: 'Which', multiSelect: false, options }
    const asking = call('AskUserQuestion', { questions: [question] })
    const { api, start, record } = await createClaudeWorkspace([[agent], [asking], [text('Done.')]])
    await start().ended
    expect(api.resultOf(asking.id)).toMatchObject({ isError: true })
    expect(await record(asking.id)).toBeUndefined()
  })
})
