import type { Outcome } from '@sandagent/core'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { approvalIn, approvalQuestion, askUser, createVerifiedChannel } from '@sandagent/runner'
import {
  type Authorization,
  createAnswerHandler,
  createSigningKey,
  type Decision,
  LocalSandbox,
  type Policy,
  parseSigningKeys,
  type QuestionView,
} from '@sandagent/sdk'
import { onTestFinished } from 'vitest'
import { type Grants, type GrantsOptions, startGrants } from '../src/index.ts'

interface AskMore {
  runId?: string
  signal?: AbortSignal
}

export interface TestHost {
  grants: Grants
  sandbox: LocalSandbox
  /** The folder of the grants. */
  folder: string
  decisions: Decision[]
  warnings: string[]
  /** Asks as an agent's runner does. Resolves to the decision. */
  ask(toolCallId: string, toolName: string, input: unknown, more?: AskMore): Promise<Outcome>
  /** How many forged answers the runner has ignored. */
  forgeries(): number
  /** The question, once it is there, as ada sees it. */
  view(toolCallId: string): Promise<QuestionView>
  /** Answers as the page does. */
  answer(view: QuestionView, selected: string, more?: object): Promise<Response>
  /** Allows a call, and with it the scope whose text this is. */
  allow(toolCallId: string, covers: string): Promise<Response>
  /** Another host of the same user, or this one after its end. */
  another(more?: Partial<GrantsOptions>): Grants
  stop(): Promise<void>
}

export const decided = (outcome: Outcome): string | undefined => approvalIn(outcome).decision

export async function createTestHost(
  given: Partial<GrantsOptions> & {
    policy?: Policy
    authorize?: () => Authorization
    workdir?: string
  } = {},
): Promise<TestHost> {
  const {
    authorize = () => ({ answeredBy: 'ada', roles: ['lead'] }),
    workdir = await tempDir(),
    ...more
  } = given
  const folder = more.folder ?? `${await tempDir()}/grants`
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const sandbox = new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })
  const { publicKeys } = signingKeys
  const channel = createVerifiedChannel(createFileRunnerChannel({ workdir }), { publicKeys })
  const decisions: Decision[] = []
  const warnings: string[] = []
  const stops: (() => Promise<void>)[] = []
  const start = (options: Partial<GrantsOptions> = {}): Grants => {
    const ending = new AbortController()
    const started = startGrants({
      folder,
      sandboxes: [{ id: 'shop', name: 'The shop', sandbox }],
      signingKeys,
      onDecision: (decision) => void decisions.push(decision),
      onWarning: ({ message }) => void warnings.push(message),
      signal: ending.signal,
      ...more,
      ...options,
    })
    stops.push(async () => {
      ending.abort()
      await started.ended
    })
    return started
  }
  const grants = start()
  const stop = async (): Promise<void> => {
    await Promise.all(stops.splice(0).map((end) => end()))
  }
  onTestFinished(stop)
  const { clock, policy } = more
  const handler = createAnswerHandler({
    ...{ sandbox, authorize, grants, signingKeys, clock, policy },
    onDecision: (decision) => void decisions.push(decision),
    onWarning: () => {},
  })
  const url = 'http://localhost/api/answer'

  const view: TestHost['view'] = async (toolCallId) => {
    for (;;) {
      const response = await handler.GET(new Request(`${url}?toolCallId=${toolCallId}`))
      if (response.ok) return (await response.json()) as QuestionView
      // Nobody has asked yet.
      if (![404, 503].includes(response.status)) throw new Error(await response.text())
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const answer: TestHost['answer'] = ({ toolCallId, questionDigest, askedAt }, selected, extra) => {
    const responses = { permission: { selected: [selected], source: 'human' } }
    const body = { toolCallId, questionDigest, askedAt, status: 'completed', responses, ...extra }
    return handler.POST(
      new Request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', host: 'localhost' },
        body: JSON.stringify(body),
      }),
    )
  }
  return {
    ...{ grants, sandbox, folder, decisions, warnings, view, answer, stop },
    another: start,
    forgeries: () => channel.forgeries,
    ask: (toolCallId, toolName, input, { runId = 'run-1', signal } = {}) =>
      askUser(
        channel,
        {
          ...{ kind: 'approval', runId, toolCallId, toolName, subject: { toolName, input } },
          questions: [approvalQuestion(toolName)],
        },
        { signal },
      ),
    async allow(toolCallId, covers) {
      const seen = await view(toolCallId)
      const scope = seen.scopes?.find((each) => each.covers.startsWith(covers))
      if (!scope) throw new Error(`There is no ${covers} among ${JSON.stringify(seen.scopes)}`)
      return answer(seen, 'allow-once', { scope: scope.id })
    },
  }
}
