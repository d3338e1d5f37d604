import type { RunnerChannel } from '@sandagent/core'
import { createFileRunnerChannel } from '@sandagent/files'
import { submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { createClaudeWorkspace } from '../support/models/claude-workspace.ts'
import { call, text } from '../support/models/messages-api.ts'

const question = (words: string) => ({
  question: words,
  header: 'Choice',
  options: ['A', 'B'].map((label) => ({ label, description: `About ${label}` })),
  multiSelect: false,
})
const ask = (...words: string[]) => call('AskUserQuestion', { questions: words.map(question) })
const NO_CHOICE = 'Do not take this for a choice; say which assumption you make if you go on.'

describe('a session without a key', () => {
  it('says which variable is missing', async () => {
    const { start } = await createClaudeWorkspace([[text('Never said.')]])
    vi.stubEnv('ANTHROPIC_API_KEY', undefined)
    await expect(start().ended).rejects.toThrow(/ANTHROPIC_API_KEY/)
  })
})

describe('a question without an answer', () => {
  it('is refused with the reason, and what the model should do', async () => {
    const asked = ask('Which?')
    const { api, start, answer } = await createClaudeWorkspace([[asked]])
    const run = start()
    await answer(asked.id, { status: 'declined', reason: 'You know "best"' })
    await run.ended
    expect(api.resultOf(asked.id)).toEqual({
      text: 'The user declined to answer, saying "You know \\"best\\"". Do not ask the same again and do not guess what they would have chosen; go on without it, or stop and say what you need.',
      isError: true,
    })
    expect(run.chunks).toContainEqual(
      expect.objectContaining({
        type: 'tool-output-error',
        toolCallId: asked.id,
        errorText: expect.stringContaining('The user declined to answer'),
      }),
    )
  })

  it('is refused when nobody answered in time', async () => {
    const asked = ask('Which?')
    const { api, start } = await createClaudeWorkspace([[asked]])
    await start({}, { timeoutMs: 200 }).ended
    expect(api.resultOf(asked.id)).toEqual({
      text: expect.stringMatching(
        /^Nobody answered within [\d.]+ m?s\. This is not a decision of the user\.\nNot answered: "Which\?"\. Do not take/,
      ),
      isError: true,
    })
  })

  it('leaves the answers that were entered when the time ran out, and names the missing ones', async () => {
    const asked = ask('First?', 'Second?')
    const { api, sandbox, start } = await createClaudeWorkspace([[asked]])
    const files = createFileRunnerChannel({ workdir: sandbox.workdir })
    const channel: RunnerChannel = {
      ...files,
      // The draft is there when the wait begins, so no time-out comes first however slow the machine is.
      async open(record, options) {
        const inForce = await files.open(record, options)
        await submitAnswer(sandbox, { toolCallId: asked.id, answers: { 'First?': 'B' }, status: 'pending' })
        return inForce
      },
    }
    await start({}, { timeoutMs: 200, channel }).ended
    expect(api.resultOf(asked.id)).toEqual({
      text: `The user answered: "First?"="B", "Second?"=(no option selected) notes: Nobody answered this question in time. ${NO_CHOICE}. Read the answers carefully — they may request clarification, changes, or that you not proceed — and follow what they actually say.`,
      isError: false,
    })
  })

  it('is withdrawn when the run is stopped, and the page is told so', async () => {
    const asked = ask('Which?')
    const { api, start, record, asked: isAsked } = await createClaudeWorkspace([[text('Well.'), asked]])
    const run = start()
    await isAsked(asked.id)
    run.stop()
    await run.ended
    expect(await record(asked.id)).toMatchObject({ state: 'aborted', responses: {} })
    expect(api.resultOf(asked.id)).toBeUndefined()
    expect(run.chunks).toContainEqual(
      expect.objectContaining({
        type: 'tool-output-error',
        toolCallId: asked.id,
        errorText: 'The question was withdrawn before it was answered.',
      }),
    )
    expect(run.chunks.slice(-2)).toEqual([{ type: 'finish-step' }, { type: 'abort' }])
  })
})

describe('an unattended run', () => {
  it('hides the tool for questions from the model', async () => {
    const { api, start } = await createClaudeWorkspace([])
    await start({ unattended: true }).ended
    const names = api.requests[0]?.tools?.map(({ name }) => name)
    expect(names).toContain('Bash')
    expect(names).not.toContain('AskUserQuestion')
  })

  it('refuses what needs a permission at once', async () => {
    const bash = call('Bash', { command: 'touch file' })
    const { api, start, record } = await createClaudeWorkspace([[bash]])
    await start({ unattended: true }).ended
    expect(api.resultOf(bash.id)).toEqual({
      text: 'Bash was not run: it needs a permission, and nobody is there to give it. Go on without it, or stop and say what you need.',
      isError: true,
    })
    expect(await record(bash.id)).toBeUndefined()
  })
})

describe('a session that fails', () => {
  it('rejects with what the API said', async () => {
    const { api, start } = await createClaudeWorkspace([])
    await api.close()
    vi.stubEnv('CLAUDE_CODE_MAX_RETRIES', '0')
    const run = start()
    await expect(run.ended).rejects.toThrow(/Unable to connect|Connection/)
    expect(run.chunks.at(-1)).toMatchObject({ type: 'error' })
  })

  it('rejects a session that nobody knows', async () => {
    const { start } = await createClaudeWorkspace([])
    await expect(start({ resume: '00000000-0000-4000-8000-000000000000' }).ended).rejects.toThrow(
      'No conversation found',
    )
  })

  it('needs a prompt, or a question to go on with', async () => {
    const { start } = await createClaudeWorkspace([])
    await expect(start({}, { prompt: ' ' }).ended).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })
})
