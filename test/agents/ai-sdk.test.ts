import type { Question } from '@sandagent/core'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import type { AskUserQuestionToolOptions } from '@sandagent/runner/ai-sdk'
import { declineQuestion, type LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { expect, it, vi } from 'vitest'
import * as chat from '../support/ai-chat.ts'
import { agentRow } from '../support/matrix/agent-row.ts'
import { asked } from '../support/mcp.ts'
import { type AiVersion, aiVersions, toolBeside } from '../support/models/ai-versions.ts'
import { tempSandbox } from '../support/workspace.ts'

const PLACES = { question: 'Where to?', options: [{ label: 'Paris, north' }, { label: 'Rome' }] }
const human = { source: 'human' as const }

interface Asks extends Partial<AskUserQuestionToolOptions> {
  /** Of each call of the tool in one step. */
  calls?: Question[][]
  abortSignal?: AbortSignal
}

interface Conversation {
  sandbox: LocalSandbox
  /** What the model reads of each call. */
  read: Promise<string[]>
}

/** How a model is called, and how its text is waited for. */
const WAYS = ['generateText', 'streamText'] as const

/** A model of this version that asks in one step, and ends in the next. */
async function ask(
  { ai, Model, finish, ...version }: AiVersion,
  way: (typeof WAYS)[number],
  { calls = [[PLACES]], abortSignal, ...options }: Asks,
): Promise<Conversation> {
  const { createAskUserQuestionTool } = await toolBeside({ ai, Model, finish, ...version })
  const sandbox = await tempSandbox()
  const channel = createFileRunnerChannel({ workdir: sandbox.workdir })
  const content = calls.map((questions, index) => ({
    ...{ type: 'tool-call', toolCallId: `call_${index + 1}`, toolName: 'AskUserQuestion' },
    input: JSON.stringify({ questions }),
  }))
  const turns = [[...content, finish('tool-calls')], [finish('stop')]].map(
    (parts) => parts as { type: string }[],
  )
  const model = new Model({
    doStream: turns.map((parts) => ({
      stream: ai.simulateReadableStream({ chunks: [{ type: 'stream-start', warnings: [] }, ...parts] }),
    })) as never,
    doGenerate: turns.map((parts) => ({
      ...parts.at(-1),
      content: parts.slice(0, -1),
      warnings: [],
    })) as never,
  })
  const settings = {
    model,
    prompt: 'Plan my trip.',
    tools: { AskUserQuestion: createAskUserQuestionTool({ channel, runId: 'chat', ...options }) },
    stopWhen: ({ steps }: { steps: unknown[] }) => steps.length === turns.length,
    ...(abortSignal && { abortSignal }),
  }
  const work = async (): Promise<string[]> => {
    if (way === 'generateText') await ai.generateText(settings)
    else await ai.streamText(settings).consumeStream()
    const said = (way === 'generateText' ? model.doGenerateCalls : model.doStreamCalls)[1]?.prompt.at(-1)
    const results = (said?.content ?? []) as { type: string; output: { value: string } }[]
    return results.filter(({ type }) => type === 'tool-result').map(({ output }) => output.value)
  }
  const read = work()
  read.catch(() => {}) // The test that cares awaits it itself.
  return { sandbox, read }
}

/** Does it with each version, once by each call. */
const inEach = (asks: () => Asks, act: (conversation: Conversation) => Promise<unknown>) => async () => {
  for (const version of Object.values(aiVersions))
    for (const way of WAYS) await act(await ask(version, way, asks()))
}

/** What the model reads after this answer. */
const answered =
  (response: object, ...words: string[]) =>
  async ({ sandbox, read }: Conversation) => {
    const { toolCallId, questions } = await asked(sandbox)
    const responses = { [questions[0]?.id as string]: { selected: [], ...response, ...human } }
    await submitAnswer(sandbox, { toolCallId, responses, status: 'completed' })
    for (const word of words) expect((await read).join()).toContain(word)
  }

agentRow('AI SDK', {
  'single choice': inEach(() => ({}), answered({ selected: ['Rome'] }, '- "Where to?": "Rome"')),
  'several choices with commas': inEach(
    () => ({ calls: [[{ ...PLACES, multiSelect: true }]] }),
    answered({ selected: ['Paris, north', 'Rome'] }, '"Paris, north"', '"Rome"'),
  ),
  'own words': inEach(() => ({}), answered({ freeText: 'home, to Łódź' }, 'home, to Łódź')),
  notes: inEach(() => ({}), answered({ selected: ['Rome'], notes: 'by train' }, '"Rome"', 'by train')),
  previews: inEach(
    () => ({
      calls: [[{ question: 'How?', options: [{ label: 'Map', preview: '# A map' }, { label: 'List' }] }]],
    }),
    async ({ sandbox, read }) => {
      const { toolCallId, questions } = await asked(sandbox)
      expect(questions[0]?.options?.[0]).toMatchObject({ preview: '# A map' })
      await submitAnswer(sandbox, { toolCallId, answers: { 'How?': 'Map' } })
      expect(await read).toHaveLength(1)
    },
  ),
  defaults: inEach(
    () => ({ calls: [[{ ...PLACES, defaultOption: 'Rome' }]], timeoutMs: 1, timeoutPolicy: 'defaults' }),
    async ({ read }) => expect((await read).join()).toMatch(/default[\s\S]*"Rome"|"Rome"[\s\S]*default/),
  ),
  decline: inEach(
    () => ({}),
    async ({ sandbox, read }) => {
      const { toolCallId } = await asked(sandbox)
      await declineQuestion(sandbox, { toolCallId, reason: 'not now' })
      expect((await read).join()).toMatch(/^The user declined to answer, saying "not now"/)
    },
  ),
  'time-out': inEach(
    () => ({ timeoutMs: 1 }),
    async ({ read }) => expect((await read).join()).toMatch(/^Nobody answered/),
  ),
  cancel: async () => {
    for (const version of Object.values(aiVersions))
      for (const way of WAYS) {
        const stop = new AbortController()
        const { sandbox, read } = await ask(version, way, { abortSignal: stop.signal })
        await asked(sandbox)
        stop.abort()
        await read.catch(() => {}) // The call of a model that was stopped has no result.
        await vi.waitFor(async () => expect(await listQuestions(sandbox)).toEqual([]))
      }
  },
  'two at once': inEach(
    () => ({ calls: [[PLACES], [{ question: 'When?' }]] }),
    async ({ sandbox, read }) => {
      await asked(sandbox, 2)
      await submitAnswer(sandbox, {
        ...{ toolCallId: 'call_2', status: 'completed' },
        answers: { 'When?': 'soon' },
      })
      await submitAnswer(sandbox, { toolCallId: 'call_1', answers: { 'Where to?': 'Rome' } })
      // The one that was answered first may come first.
      expect([...(await read)].sort()).toEqual([
        expect.stringContaining('"soon"'),
        expect.stringContaining('"Rome"'),
      ])
    },
  ),
  restart: async () => {
    for (const version of Object.values(aiVersions)) {
      const { folder, server, sent } = await chat.asked(version)
      const again = await chat.restarted(version, folder, server)
      await chat.seen(again.page, chat.ASKS, chat.question('input-available'))
      await chat.answer(again.server, 'call_1', 'Blue')
      await chat.seen(
        again.page,
        chat.ASKS,
        chat.question('output-available'),
        chat.told(chat.wordsOf('Blue')),
      )
      await Promise.allSettled([sent, again.resumed])
    }
  },
})

it('what is said while a question waits is queued by useChat, and sent after its answer', async () => {
  const server = await chat.serve('7', await tempDir())
  const page = chat.openPage(aiVersions['7'], server, [], { experimental_queue: true })
  void page.chat.sendMessage({ text: 'Paint it.' })
  await chat.seen(page, chat.ASKS, chat.question('input-available'))
  const second = page.chat.sendMessage({ text: 'And the door?' })
  await vi.waitFor(() => expect(page.chat.experimental_queuedMessages).toHaveLength(1))
  await vi.waitFor(async () => expect(await chat.viewOf(server, 'call_1')).toMatchObject({ state: 'open' }))
  await chat.answer(server, 'call_1', 'Blue')
  await vi.waitFor(async () => expect(await chat.viewOf(server, 'call_2')).toMatchObject({ state: 'open' }))
  expect(page.chat.experimental_queuedMessages).toEqual([])
  expect(page.state.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  await chat.answer(server, 'call_2', 'Red')
  await chat.seen(
    page,
    chat.ASKS,
    { toolCallId: 'call_2', state: 'output-available' },
    chat.told(chat.wordsOf('Red')),
  )
  await second
})
