import type { RemoteSandbox } from '@sandagent/remote'
import {
  createAnswerHandler,
  listQuestions,
  type QuestionView,
  type Run,
  type SigningKeys,
  startRun,
  stopRun,
} from '@sandagent/sdk'
import { onTestFinished, vi } from 'vitest'
import { COMMAND } from './piped-sandbox.ts'

const SCENARIO = {
  steps: [
    { say: 'Which one?' },
    {
      ask: {
        questions: [{ question: 'Which language?', options: [{ label: 'TypeScript' }, { label: 'Python' }] }],
      },
    },
    { say: 'Good.' },
  ],
}

/** Starts a scripted agent that asks one question. It ends with the test. */
export async function askingRun(
  sandbox: RemoteSandbox,
  {
    signingKeys,
    runner = [process.execPath, COMMAND],
  }: {
    signingKeys: SigningKeys | null
    runner?: readonly [string, ...string[]] | undefined
  },
): Promise<Run> {
  await sandbox.files.writeAtomic('scenario.json', JSON.stringify(SCENARIO))
  const run = await startRun(
    sandbox,
    { agent: 'scripted', args: ['--scenario', `${sandbox.workdir}/scenario.json`], prompt: 'Go', runner },
    { signingKeys, onError: () => {} },
  )
  onTestFinished(async () => void (await stopRun(sandbox, run.runId, { graceMs: 0 })))
  return run
}

/** The question of a run, once it waits. */
export const waitingQuestion = (
  sandbox: RemoteSandbox,
  signingKeys: SigningKeys | null,
): Promise<QuestionView> =>
  vi.waitFor(async () => {
    const [question] = await listQuestions(sandbox, { signingKeys })
    if (!question) throw new Error('Nothing was asked')
    return question
  })

/** Posts an answer to the handler of a sandbox, as a page does. */
export function answerApi(sandbox: RemoteSandbox, signingKeys: SigningKeys | null) {
  const { GET, POST } = createAnswerHandler({
    sandbox,
    authorize: () => ({ answeredBy: 'ada' }),
    signingKeys,
  })
  const url = 'http://localhost/api/answer'
  return {
    get: (query = '', init: RequestInit = {}) => GET(new Request(`${url}${query}`, init)),
    async post(body: object): Promise<{ success: boolean; status?: string; error?: { code: string } }> {
      const request = new Request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return (await POST(request)).json()
    },
  }
}
