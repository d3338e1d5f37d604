import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, listQuestions, startRun, stopRun, streamRun, submitAnswer } from '@sandagent/sdk'
import type * as ai7 from 'ai-7'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { aiVersions } from '../support/models/ai-versions.ts'
import { messageOf } from '../support/models/ui-message.ts'
import { ended, runnerPid } from '../support/runner-process.ts'

const SCENARIO = {
  steps: [
    { say: 'First a question, then a bit of work: {{prompt}}' },
    {
      ask: {
        questions: [
          {
            question: 'Which?',
            multiSelect: true,
            options: [{ label: 'Tests, all of them' }, { label: 'Notes — “ü” 👋' }],
          },
        ],
      },
    },
    { write: { path: 'notes.txt', content: '{{answers.q1}}\n' } },
    { run: { command: 'cat', args: ['notes.txt'] } },
    { say: 'It says: {{output}}' },
  ],
}

/** A sandbox, and what starts the scenario in it as the run `r`. */
async function workspace(): Promise<{ sandbox: LocalSandbox; start(): Promise<unknown> }> {
  const folder = await tempDir()
  const scenario = join(folder, 'scenario.json')
  const sandbox = new LocalSandbox({ workdir: join(folder, 'workdir'), readable: [scenario] })
  await writeFile(scenario, JSON.stringify(SCENARIO))
  onTestFinished(async () => {
    await stopRun(sandbox, 'r', { graceMs: 0 })
    await ended(sandbox.workdir, { exitCode: expect.toSatisfy((code) => code !== undefined) })
  })
  return {
    sandbox,
    start: () =>
      startRun(sandbox, {
        agent: 'scripted',
        args: ['--scenario', scenario],
        prompt: 'ä “quoted” line\nand the next',
        runId: 'r',
        runner: [process.execPath, join(root, 'packages/cli/dist/main.js')],
      }),
  }
}

/** All that the run streams, without comments. */
async function streamed(sandbox: LocalSandbox, from?: string): Promise<string> {
  const all = await text((await streamRun(sandbox, 'r', { from })) as NodeReadableStream)
  return all.replaceAll(': keep-alive\n\n', '')
}

/** Answers the question once it is asked. */
async function answer(sandbox: LocalSandbox): Promise<void> {
  await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
  const [question] = await listQuestions(sandbox)
  await submitAnswer(sandbox, {
    toolCallId: question?.toolCallId as string,
    answers: { 'Which?': '"Tests, all of them", Notes — “ü” 👋' },
    status: 'completed',
  })
}

/** The chunks that a version of the AI SDK reads in a stream. */
async function chunksOf(ai: typeof ai7, stream: string): Promise<unknown[]> {
  const chunks: unknown[] = []
  const events = ai.parseJsonEventStream({
    stream: new Blob([stream]).stream(),
    schema: ai.uiMessageChunkSchema,
  })
  for await (const parsed of events as unknown as AsyncIterable<{ success: boolean; value?: unknown }>) {
    expect(parsed).toMatchObject({ success: true })
    chunks.push(parsed.value)
  }
  return chunks
}

const SAYS = 'It says: Tests, all of them, Notes — “ü” 👋'

describe.each(Object.entries(aiVersions))('a run, as AI SDK %s reads it', (_, { ai }) => {
  it('is the same, chunk for chunk, to readers who were there, joined, came later or came back', async () => {
    const { sandbox, start } = await workspace()
    await start()
    const fromTheBeginning = streamed(sandbox)
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
    const joined = streamed(sandbox)
    await answer(sandbox)
    const live = await fromTheBeginning
    const chunks = await chunksOf(ai, live)
    expect(chunks.length).toBeGreaterThan(40)
    expect(await chunksOf(ai, await joined)).toEqual(chunks)
    const replayed = await streamed(sandbox)
    expect(replayed).toBe(live)
    expect(await chunksOf(ai, replayed)).toEqual(chunks)
    expect(await chunksOf(ai, await streamed(sandbox, '1-20'))).toEqual(chunks.slice(20))

    const message = await messageOf(ai, replayed)
    expect(message?.id).toBe('message-r')
    expect(message?.parts.at(-1)).toMatchObject({ type: 'text', text: SAYS })
  })

  it('ends with an error when it crashed, and is whole, each part once, when it was started again', async () => {
    const { sandbox, start } = await workspace()
    await start()
    const live = streamed(sandbox)
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
    process.kill(await runnerPid(sandbox.workdir), 'SIGKILL')
    const broken = await chunksOf(ai, await live)
    expect(broken.at(-1)).toEqual({ type: 'error', errorText: 'The agent ended before it was done' })
    expect(await chunksOf(ai, await streamed(sandbox))).toEqual(broken)

    await ended(sandbox.workdir, { state: 'crashed', signal: 'SIGKILL' })
    await start()
    const again = streamed(sandbox)
    await answer(sandbox)
    const message = await messageOf(ai, await again)
    expect(message?.parts.filter(({ type }) => type === 'text')).toHaveLength(2)
    expect(message?.parts.at(-1)).toMatchObject({ type: 'text', text: SAYS })
    expect(await messageOf(ai, await streamed(sandbox))).toEqual(message)
  })
})
