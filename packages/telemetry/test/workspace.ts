import type { Question } from '@sandagent/core'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { type AskOptions, askUser, receiptsWritten } from '@sandagent/runner'
import { LocalSandbox } from '@sandagent/sdk'
import { onTestFinished } from 'vitest'

const questions: Question[] = [
  { question: 'Which language?', options: [{ label: 'TypeScript' }, { label: 'Python' }] },
]

/** A runner and a host that share a folder. */
export async function workspace() {
  const workdir = await tempDir()
  onTestFinished(receiptsWritten) // Before the folder goes.
  const channel = createFileRunnerChannel({ workdir })
  const sandbox = new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })
  const request = { toolCallId: 'call_1', runId: 'run_1', questions }
  return {
    workdir,
    request,
    channel,
    sandbox,
    /** Asks. `asked` resolves once the question can be answered. */
    ask(options: AskOptions = {}) {
      let onAsked = (): void => {}
      const asked = new Promise<void>((resolve) => {
        onAsked = resolve
      })
      const outcome = askUser(channel, request, { ...options, onAsked })
      return { asked: Promise.race([asked, outcome]), outcome }
    },
  }
}

/** A final answer. */
export const answer = {
  toolCallId: 'call_1',
  status: 'completed' as const,
  responses: { q1: { selected: ['Python'], source: 'human' as const } },
}
