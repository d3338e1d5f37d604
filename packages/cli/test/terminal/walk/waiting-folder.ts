import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { type AskOptions, type AskRequest, approvalQuestion, askUser } from '@sandagent/runner'
import { LocalSandbox } from '@sandagent/sdk'
import { onTestFinished } from 'vitest'

/** A folder in which agents ask. */
export interface WaitingFolder {
  sandbox: LocalSandbox
  /** Asks, and resolves once the question is open. */
  ask(
    toolCallId: string,
    request: Omit<AskRequest, 'toolCallId' | 'runId'>,
    options?: AskOptions,
  ): Promise<void>
  /** The permission to run a command. */
  askPermission(toolCallId: string, command: string): Promise<void>
  /** What became of a question: how it ended, and the first answer; `open` while it waits. */
  outcomes(): Record<string, string>
}

export async function createWaitingFolder(workdir?: string): Promise<WaitingFolder> {
  const sandbox = new LocalSandbox({ workdir: workdir ?? (await tempDir()) })
  const channel = createFileRunnerChannel({ workdir: sandbox.workdir })
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const ended: Record<string, string> = {}
  const ask: WaitingFolder['ask'] = async (toolCallId, request, options) => {
    ended[toolCallId] = 'open'
    await new Promise<void>((resolve, reject) => {
      askUser(
        channel,
        { ...request, toolCallId, runId: 'r' },
        { ...options, signal: end.signal, onAsked: async () => resolve() },
      ).then(({ kind, responses }) => {
        const [response] = Object.values(responses)
        const said = response && 'selected' in response ? [...response.selected, response.freeText ?? ''] : []
        ended[toolCallId] = [kind, ...said.filter(Boolean)].join(' ')
      }, reject)
    })
  }
  return {
    sandbox,
    ask,
    askPermission: (toolCallId, command) =>
      ask(toolCallId, {
        ...{ kind: 'approval', toolName: 'Bash' },
        subject: { toolName: 'Bash', input: { command } },
        questions: [approvalQuestion('Bash', {})],
      }),
    outcomes: () => ended,
  }
}
