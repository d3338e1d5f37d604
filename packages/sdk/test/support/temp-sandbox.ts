import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  AskError,
  type ClosingReason,
  type OpenRecord,
  parseQuestions,
  type Question,
  type Receipt,
} from '@sandagent/core/internal'
import { createFileRunnerChannel } from '@sandagent/files'
import { LANGUAGE } from '@sandagent/fixtures/questions.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, type LocalSandboxOptions } from '../../src/index.ts'

/** A sandbox in a folder of its own, removed after the test. Its programs are not isolated, unless a test wants that. */
export async function tempSandbox(options: Partial<LocalSandboxOptions> = {}): Promise<LocalSandbox> {
  return new LocalSandbox({
    workdir: join(await tempDir(), 'workdir'),
    isolation: 'none',
    onIsolation: () => {},
    ...options,
  })
}

export { FEATURES, LANGUAGE, picked } from '@sandagent/fixtures/questions.ts'

/** Records a question as the sandbox's runner does. */
export async function ask(
  { workdir }: LocalSandbox,
  toolCallId: string,
  questions: readonly Question[] = [LANGUAGE],
  more: Partial<OpenRecord> = {},
): Promise<void> {
  await createFileRunnerChannel({ workdir }).open({
    version: 1,
    toolCallId,
    toolName: 'AskUserQuestion',
    kind: 'question',
    questions: parseQuestions(questions),
    askedAt: new Date().toISOString(),
    timeoutMs: 'never',
    deadline: null,
    nonce: `nonce of ${toolCallId}`,
    runId: 'run-1',
    state: 'open',
    ...more,
  })
}

/** Records that the wait for an answer is over, as the sandbox's runner does. */
export async function close(
  { workdir }: LocalSandbox,
  toolCallId: string,
  reason: ClosingReason = 'timed-out',
): Promise<void> {
  await createFileRunnerChannel({ workdir }).close(toolCallId, reason)
}

/** Records how a question ended as the sandbox's runner does. */
export async function settle(
  { workdir }: LocalSandbox,
  toolCallId: string,
  receipt: Partial<Receipt>,
): Promise<void> {
  const ending = {
    state: 'answered',
    settledAt: new Date().toISOString(),
    responses: {},
    ...receipt,
  } as const
  await createFileRunnerChannel({ workdir }).settle(toolCallId, ending)
}

/** The text of an answer file. */
export const answerFileText = ({ workdir }: LocalSandbox, name: string): Promise<string> =>
  readFile(join(workdir, '.sandagent/approvals', `${name}.json`), 'utf8')

/** The content of an answer file. */
export const answerFile = async (sandbox: LocalSandbox, name: string): Promise<Record<string, unknown>> =>
  JSON.parse(await answerFileText(sandbox, name))

/** The error that a promise is rejected with. */
export async function refusalOf(promise: Promise<unknown>): Promise<AskError> {
  const error = await promise.then(
    (value) => new Error(`it resolved to ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (error instanceof AskError) return error
  throw error
}
