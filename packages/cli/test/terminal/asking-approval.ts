import { fileURLToPath } from 'node:url'
import type { ApprovalSubject, Question } from '@sandagent/core/internal'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { approvalQuestion, askUser } from '@sandagent/runner'
import { onTestFinished } from 'vitest'
import { startInTerminal } from '../../../../test/support/terminal/pseudo-terminal.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** `sandagent answer` in a terminal, with an agent that waits for the permission of a call. */
export async function askingApproval(
  subject: ApprovalSubject,
  {
    scope,
    question = approvalQuestion(subject.toolName, { sessionScope: scope }),
    options = [],
    env = {},
    isHome = false,
    rows = 24,
  }: {
    scope?: string
    question?: Question
    options?: readonly string[]
    env?: NodeJS.ProcessEnv
    /** The agent works where the host keeps its own files: so nothing can be allowed beyond a call. */
    isHome?: boolean
    rows?: number
  } = {},
) {
  const workdir = await tempDir()
  const end = new AbortController()
  onTestFinished(() => end.abort())
  let onAsked = (): void => {}
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve
  })
  const outcome = askUser(
    createFileRunnerChannel({ workdir }),
    {
      ...{ toolCallId: 'call', runId: 'r', kind: 'approval', toolName: subject.toolName, subject },
      questions: [question],
    },
    { signal: end.signal, onAsked: async () => onAsked() },
  )
  await asked
  const args = [main, 'answer', 'call', '--workdir', workdir, ...options]
  const terminal = startInTerminal(process.execPath, args, {
    ...{ columns: 80, rows },
    env: isHome ? { ...env, XDG_CONFIG_HOME: workdir } : env,
  })
  return {
    ...terminal,
    workdir,
    outcome,
    /** Ends the question before anybody has answered. */
    withdraw: () => end.abort(),
    /** What was decided, and the input that runs in the place of the agent's; or how the question ended. */
    async decided(): Promise<{ decision: string | undefined; input?: unknown }> {
      const { kind, responses } = await outcome
      const response = responses.permission
      if (kind !== 'answered' || !response || !('selected' in response)) return { decision: kind }
      return { decision: response.selected[0], ...('input' in response && { input: response.input }) }
    },
  }
}
