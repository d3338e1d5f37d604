import { readdir } from 'node:fs/promises'
import { submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { startProgram } from '../support/acp-programs.ts'
import { asked } from '../support/mcp.ts'
import { call, startMessagesApi } from '../support/models/messages-api.ts'
import { startModelApis } from '../support/models/model-apis.ts'

/** A program needs a long time to start on a busy machine. */
const PATIENTLY = { timeout: 90_000 }
const human = { source: 'human' as const }
const permit = (value: string) => ({ responses: { permission: { selected: [value], ...human } } })

describe('the ACP adapter of Claude Code', () => {
  it('asks what its model asks, with descriptions and previews, and gives it choices, words and notes', async () => {
    const question = call('AskUserQuestion', {
      questions: [
        {
          question: 'Which layout?',
          header: 'Layout',
          multiSelect: false,
          options: [
            { label: 'Sidebar', description: 'On the left', preview: '| nav | main |' },
            { label: 'Tabs', description: 'On top' },
          ],
        },
        {
          question: 'Which parts?',
          header: 'Parts',
          multiSelect: true,
          options: [
            { label: 'Roof, tiled', description: 'Red' },
            { label: 'Door', description: 'Blue' },
          ],
        },
      ],
    })
    const api = await startMessagesApi([[question]])
    const { sandbox, ended, chunks } = await startProgram('claude', api)
    const { toolCallId, questions } = await vi.waitFor(() => asked(sandbox), PATIENTLY)
    expect(toolCallId).toBe(`r-${question.id}`)
    expect(questions).toMatchObject([
      {
        id: 'question_0',
        options: [
          { label: 'Sidebar', description: 'On the left', preview: '| nav | main |' },
          { label: 'Tabs', description: 'On top' },
        ],
      },
      { id: 'question_1', multiSelect: true },
    ])
    const responses = {
      question_0: { selected: ['Sidebar'], notes: 'but narrow', ...human },
      question_1: { selected: ['Roof, tiled', 'Door'], freeText: 'and a bell', ...human },
    }
    await submitAnswer(sandbox, { toolCallId, responses })
    await ended
    const { text = '', isError } = api.resultOf(question.id) ?? {}
    expect(isError).toBe(false)
    for (const words of ['"Which layout?"="Sidebar"', 'but narrow', 'Roof, tiled', 'Door', 'and a bell'])
      expect(text.replaceAll('\\"', '"')).toContain(words)
    expect(chunks.filter(({ type }) => type === 'tool-output-available')).toMatchObject([
      { toolCallId, output: { status: 'answered' } },
    ])
  })

  it('runs what a person allows, and not what is denied', async () => {
    const bash = (command: string) => call('Bash', { command, description: 'Make a file' })
    const [first, second] = [bash('touch one.txt'), bash('touch two.txt')]
    const api = await startMessagesApi([[first], [second]])
    const { sandbox, ended } = await startProgram('claude', api)
    const { toolCallId, subject } = await vi.waitFor(() => asked(sandbox), PATIENTLY)
    expect(toolCallId).toBe(`r-${first.id}`)
    expect(subject).toMatchObject({ toolName: 'Bash', input: { command: 'touch one.txt' } })
    await submitAnswer(sandbox, { toolCallId, ...permit('allow-once') })
    const denied = await vi.waitFor(async () => {
      const view = await asked(sandbox)
      expect(view.toolCallId).toBe(`r-${second.id}`)
      return view
    }, PATIENTLY)
    await submitAnswer(sandbox, { toolCallId: denied.toolCallId, ...permit('deny') })
    await ended
    expect(await readdir(sandbox.workdir)).toContain('one.txt')
    expect(await readdir(sandbox.workdir)).not.toContain('two.txt')
    expect(api.resultOf(second.id)).toMatchObject({ isError: true })
  })

  it('goes on with its session after a restart', async () => {
    const api = await startMessagesApi([])
    const first = await startProgram('claude', api)
    await first.ended
    const sessionId = first.chunks.find(({ messageMetadata }) => messageMetadata)?.messageMetadata?.sessionId
    const second = first.again({ resume: sessionId }, { prompt: 'And now?' })
    await second.ended
    const talks = api.requests.map(({ messages }) => JSON.stringify(messages))
    expect(talks.find((talk) => talk.includes('And now?'))).toContain('Build something')
  })
})

describe.each([
  { name: 'gemini', tool: 'run_shell_command', input: { command: 'touch one.txt' } },
  { name: 'opencode', tool: 'bash', input: { command: 'touch one.txt', description: 'Make a file' } },
  {
    name: 'codex',
    tool: 'exec_command',
    input: { cmd: 'touch one.txt', sandbox_permissions: 'require_escalated', justification: 'Make a file' },
  },
] as const)('$name over ACP', ({ name, tool, input }) => {
  it.each([
    ['allow-once', true],
    ['deny', false],
  ])('asks for a permission, and gets the decision: %s', async (value, isRun) => {
    const api = await startModelApis(input, tool)
    const { sandbox, ended } = await startProgram(name, api)
    const { toolCallId, kind, subject } = await vi.waitFor(() => asked(sandbox), PATIENTLY)
    expect(kind).toBe('approval')
    expect(JSON.stringify(subject)).toContain('touch one.txt')
    await submitAnswer(sandbox, { toolCallId, ...permit(value) })
    await ended
    expect((await readdir(sandbox.workdir)).includes('one.txt')).toBe(isRun)
  })
})
