import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { HttpAgent, type Interrupt, type RunAgentParameters } from '@ag-ui/client'
import { createAgUiHandler } from '@sandagent/ag-ui'
import { listen } from '@sandagent/fixtures/listen.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { type AgentsOptions, createAgents, LocalSandbox, listRuns, stopRun } from '@sandagent/sdk'
import { expect, onTestFinished, vi } from 'vitest'
import { root } from '../../../scripts/run.mjs'

/** A program that asks these things, each in a line, and says what it reads. */
export function askingProgram(...asks: object[]): [string, ...string[]] {
  const lines = [
    'echo Hello.',
    ...asks.map((ask) => `echo '${JSON.stringify({ type: 'ask', ...ask })}'`),
    ...asks.map(() => 'read -r answer; echo "read $answer"'),
  ]
  return ['sh', '-c', lines.join('\n')]
}

/** A host for clients of AG-UI, with a folder for each user, who is named in a header. */
export async function startHost(agent: AgentsOptions['agent'], options: Partial<AgentsOptions> = {}) {
  const folder = await tempDir()
  const workdirOf = (user: string) => join(folder, user)
  for (const user of ['ada', 'bob']) await mkdir(workdirOf(user))
  const sandboxOf = (user = 'ada') =>
    new LocalSandbox({ workdir: workdirOf(user), isolation: 'none', onIsolation: () => {} })
  const isAtWork = async (): Promise<boolean> =>
    (await listRuns(sandboxOf())).some(({ state }) => state === 'running')
  onTestFinished(async () => {
    // What runs in this process ends by itself.
    if (typeof agent === 'function') return vi.waitFor(async () => expect(await isAtWork()).toBe(false))
    for (const user of ['ada', 'bob'])
      for (const { runId } of await listRuns(sandboxOf(user))) await stopRun(sandboxOf(user), runId)
  })
  /** A server, as often as it is started. */
  const start = () => {
    const agents = createAgents({
      agent,
      folder: (request) => workdirOf(request.headers.get('x-user') ?? 'nobody'),
      user: (request) => request.headers.get('x-user'),
      isolation: { level: 'none' },
      runner: [process.execPath, join(root, 'packages/cli/dist/main.js')],
      ...options,
    })
    const handler = createAgUiHandler(agents)
    return listen((req, res) =>
      req.url?.endsWith('/ag-ui') ? handler.node(req, res) : agents.node(req, res),
    )
  }
  return { origin: await start(), again: start, sandboxOf }
}

/** What a run of a client was: its outcome, or its error. */
export interface Told {
  interrupts: Interrupt[]
  text: string
  error?: string
  code?: string | undefined
}

/** The client of AG-UI's own package, for one thread. */
export function createClient(origin: string, { user = 'ada', threadId = 'thread-1' } = {}) {
  const agent = new HttpAgent({ url: `${origin}/api/ag-ui`, threadId, headers: { 'x-user': user } })
  const run = async (parameters: RunAgentParameters = {}): Promise<Told> => {
    const told: Told = { interrupts: [], text: '' }
    const failed = await agent
      .runAgent(parameters, {
        onRunErrorEvent({ event }) {
          Object.assign(told, { error: event.message, code: event.code })
        },
        onRunFinishedEvent(finished) {
          if (finished.outcome === 'interrupt') told.interrupts = finished.interrupts
        },
        onTextMessageContentEvent({ event }) {
          told.text += event.delta
        },
      })
      .then(
        () => null,
        (error: Error) => error.message,
      )
    return failed === null || told.error !== undefined ? told : { ...told, error: failed }
  }
  return {
    agent,
    run,
    say(content: string): Promise<Told> {
      agent.addMessage({ id: `user-${agent.messages.length}`, role: 'user', content })
      return run()
    },
    /** Answers all interrupts of a run, in their order. */
    resume: (interrupts: readonly Interrupt[], ...payloads: unknown[]): Promise<Told> =>
      run({
        resume: interrupts.map(({ id }, index) => {
          const payload = payloads[index]
          return payload === undefined
            ? { interruptId: id, status: 'cancelled' }
            : { interruptId: id, status: 'resolved', payload }
        }),
      }),
  }
}
