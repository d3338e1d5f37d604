import * as claude from '@sandagent/core/dialects/claude'
import { addUserQuestion, resolveUserQuestion } from '@sandagent/core/dialects/cognipeer'
import { askUser } from '@sandagent/runner'
import { createAskRegistry, createAskUserQuestionTool } from '@sandagent/runner/agentrail'
import { askPending } from '@sandagent/runner/cognipeer'
import { type LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { createRespondHandler } from '@sandagent/sdk/agentrail'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { serve } from '../support/servers/serve.ts'
import { openRuntime } from '../support/user-choice/user-choice.ts'
import { createWorkspace } from '../support/workspace.ts'
import * as agentrailPage from './clients/agentrail.ts'
import { readAnswers, toolInput } from './clients/claude.ts'
import { collect, lastToolMessage } from './clients/cognipeer.ts'
import { type SandAgentQuestion, selectAnswers, waitForAnswerFile } from './clients/sandagent.ts'
import { startTool } from './clients/user-choice.ts'

/** A person at our own page: answers every question that waits by its text. */
async function person(sandbox: LocalSandbox, calls: number, wishes: Record<string, string>): Promise<void> {
  const waiting = await vi.waitFor(async () => {
    const views = await listQuestions(sandbox)
    expect(views).toHaveLength(calls)
    return views
  })
  for (const { toolCallId, questions } of waiting.reverse())
    await submitAnswer(sandbox, {
      toolCallId,
      answers: Object.fromEntries(questions.map(({ question }) => [question, wishes[question] ?? ''])),
    })
}

/** SandAgent's answer route, as in its document. */
const answerRoute =
  (sandbox: LocalSandbox) =>
  async (request: Request): Promise<Response> => {
    const { toolCallId, questions, answers } = await request.json()
    await submitAnswer(sandbox, { toolCallId, questions, answers })
    return Response.json({ success: true })
  }

describe('two questions at once, asked by a client that knows its own system’s document only', () => {
  it('SandAgent: the runner reads both from the approval file that the page’s answers are written to', async () => {
    const { sandbox } = await createWorkspace()
    const origin = await serve({ POST: answerRoute(sandbox) })
    const questions: SandAgentQuestion[] = [
      { question: 'Which language?', options: [{ label: 'TypeScript' }, { label: 'Python' }] },
      {
        question: 'Which parts?',
        options: [{ label: 'Tests' }, { label: 'README' }, { label: 'CI' }],
        multiSelect: true,
      },
    ]
    const answers = waitForAnswerFile(sandbox.workdir, 'call_1', 10)
    await selectAnswers(`${origin}/api/answer`, 'call_1', questions, [['Python'], ['CI', 'Tests']])
    expect(await answers).toEqual({ 'Which language?': 'Python', 'Which parts?': 'CI, Tests' })
  })

  it('Claude: the tool’s output has both by question text', async () => {
    const { sandbox, channel } = await createWorkspace()
    const input = toolInput(
      ['Which library should we use?', ['date-fns', 'luxon'], false],
      ['Which features do you want?', ['Dark mode', 'Yes, all', 'Export'], true],
    )
    const questions = claude.parseRequest(input)
    const asking = askUser(channel, { toolCallId: 'toolu_1', runId: 'r', questions })
    await person(sandbox, 1, {
      'Which library should we use?': 'the platform’s own',
      'Which features do you want?': 'Export, "Yes, all"',
    })
    const result = claude.formatResult(await asking, { input })
    expect('output' in result && readAnswers(input, result.output)).toEqual([
      'the platform’s own',
      'Export, "Yes, all"',
    ])
  })

  it('AgentRail: each of two calls in one session gets the answer that the page posted for it', async () => {
    const { sandbox, channel } = await createWorkspace()
    const origin = await serve(createRespondHandler({ sandbox }))
    const events: agentrailPage.WaitingEvent[] = []
    const tool = createAskUserQuestionTool('session', createAskRegistry({ channel }), {
      onEvent: (event) => events.push(event),
    })
    const results = Promise.all([
      tool.execute('call_1', {
        question: 'Which testing framework should I use?',
        options: ['Vitest (Recommended)', 'Jest', 'Mocha'],
        multiple: true,
        custom: false,
      }),
      tool.execute('call_2', { question: 'What is the target environment?', hint: 'e.g. AWS' }),
    ])
    await vi.waitFor(() => expect(events).toHaveLength(2))
    const wishes: Record<string, string[]> = { call_1: ['Jest', 'Mocha'], call_2: ['our own machines'] }
    for (const event of events.reverse()) {
      const answer = agentrailPage.promptFor(event, wishes[event.toolCallId] ?? [])
      await agentrailPage.submitAnswer(origin, 'session', answer, event.toolCallId)
    }
    expect((await results).map(({ details }) => details)).toEqual([
      { question: 'Which testing framework should I use?', answer: 'Jest, Mocha' },
      { question: 'What is the target environment?', answer: 'our own machines' },
    ])
  })

  const call = {
    id: 'uq_1',
    toolCallId: 'call_q1',
    requestedAt: '2026-05-20T19:50:35.662Z',
    input: {
      questions: [
        {
          question: 'Which framework should we scaffold with?',
          header: 'Framework',
          options: [{ label: 'React' }, { label: 'Svelte', value: 'svelte' }],
        },
        {
          question: 'Pick the package manager',
          header: 'PM',
          options: [{ label: 'pnpm' }, { label: 'npm' }],
        },
      ],
    },
  }
  const told = {
    tool_call_id: 'call_q1',
    content: {
      status: 'answered',
      answers: [
        { question: 'Which framework should we scaffold with?', header: 'Framework', values: ['svelte'] },
        { question: 'Pick the package manager', header: 'PM', values: [], freeText: 'yarn' },
      ],
    },
  }
  const wishes = { 'Which framework should we scaffold with?': 'Svelte', 'Pick the package manager': 'yarn' }

  it('Cognipeer: the tool message has both, as its application resolved them', () => {
    const paused = addUserQuestion({}, call)
    const resolution = collect(
      paused,
      Object.fromEntries(Object.entries(wishes).map(([question, wish]) => [question, [wish]])),
    )
    expect(lastToolMessage(resolveUserQuestion(paused, resolution))).toEqual(told)
  })

  it('Cognipeer: the tool message has both, as a person answered at our page', async () => {
    const { sandbox, channel } = await createWorkspace()
    const resolved = askPending(addUserQuestion({}, call), { channel, runId: 'r' })
    await person(sandbox, 1, wishes)
    expect(lastToolMessage(await resolved)).toEqual(told)
  })

  it('User Choice: each of two calls of a tool ends in what was chosen for it', async () => {
    const { endpoint, server } = await startTool()
    onTestFinished(() => void server.close())
    const { runtime, sandbox, warnings } = await openRuntime()
    const choices = ['Yes for session', 'Yes once', 'No']
    const results = Promise.all(
      ['Allow reading?', 'Allow writing?'].map((prompt, index) =>
        runtime.invoke({
          endpoint,
          operation: 'access',
          arguments: { prompt, choices, default: 2 },
          id: `call_${index}`,
          groupId: 'thread',
        }),
      ),
    )
    await person(sandbox, 2, { 'Allow reading?': 'Yes for session', 'Allow writing?': 'Yes once' })
    expect(await results).toMatchObject([{ text: 'Yes for session' }, { text: 'Yes once' }])
    expect(warnings).toEqual([])
  })
})
