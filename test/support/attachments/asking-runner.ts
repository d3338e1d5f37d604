import { listQuestions, type RunSandbox, startRun, stopRun, streamRun } from '@sandagent/sdk'
import { expect, onTestFinished, vi } from 'vitest'
import { sandagent } from '../mcp.ts'

export const SCENARIO: object = {
  steps: [
    { ask: { questions: [{ id: 'q', question: 'What do you see?', files: {} }] } },
    { say: 'It is {{answers.q}}' },
  ],
}

/** The command of this repository. */
export const RUNNER: readonly [string, ...string[]] = [process.execPath, sandagent]

/** Lets a real runner ask for a file. `said` is what the agent says after the answer. */
export async function askForFile(
  sandbox: RunSandbox,
  runner: readonly [string, ...string[]] = RUNNER,
): Promise<{ toolCallId: string; said(): Promise<string> }> {
  await sandbox.files.writeAtomic('scenario.json', JSON.stringify(SCENARIO))
  const args = ['--scenario', 'scenario.json']
  const { runId } = await startRun(
    sandbox,
    { agent: 'scripted', args, prompt: 'Go', runner },
    { onError: () => {} },
  )
  onTestFinished(async () => void (await stopRun(sandbox, runId, { graceMs: 0 }).catch(() => {})))
  const [question] = await vi.waitFor(async () => {
    const open = await listQuestions(sandbox)
    expect(open).toHaveLength(1)
    return open
  })
  return { toolCallId: `${question?.toolCallId}`, said: () => saidIn(sandbox, runId) }
}

/** What the agent of a run says until its end. */
export async function saidIn(sandbox: RunSandbox, runId: string): Promise<string> {
  let text = ''
  for await (const piece of await streamRun(sandbox, runId)) text += Buffer.from(piece).toString()
  return [...text.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta).join('')
}
