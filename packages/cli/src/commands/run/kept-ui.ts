import { userInfo } from 'node:os'
import { warningOf } from '@sandagent/core/internal'
import { type AgentRun, createUiStream, type UiStream } from '@sandagent/runner'
import { LocalSandbox, type LocalSandboxOptions, recordOwnRun } from '@sandagent/sdk'
import type { AgentArgs } from './run-args.ts'

/**
 * Keeps a log of a run that a terminal shows, so that whoever answers elsewhere sees what the agent did before. A log that cannot
 * be written stops no run.
 */
export async function keptUi(
  { ui: shown, runId, prompt, onWarning }: AgentRun,
  { agent, place }: { agent: AgentArgs; place: Pick<LocalSandboxOptions, 'workdir' | 'stateFolder'> },
): Promise<{ ui: UiStream; close(): Promise<void> }> {
  const giveUp = (error: unknown): void => {
    const warning = warningOf(error)
    onWarning?.({ ...warning, message: `The inbox will not show what this run does: ${warning.message}` })
  }
  const args = agent.name === 'command' ? ['--', agent.command, ...agent.args] : []
  const run = { runId, prompt, agent: agent.name, args, ...owner() }
  const log = await recordOwnRun(new LocalSandbox(place), run).catch(giveUp)
  if (!log) return { ui: shown, close: async () => {} }
  let isWritten = true
  const write = async (events: string): Promise<void> => {
    if (!isWritten) return
    await log.write(events).catch((error: unknown) => {
      isWritten = false
      giveUp(error)
    })
  }
  return { ui: both(createUiStream(write), shown), close: () => log.close().catch(giveUp) }
}

/** The user of this terminal. A user id without an entry on this machine has no name. */
function owner(): { owner?: string } {
  try {
    return { owner: userInfo().username }
  } catch {
    return {}
  }
}

/** Writes to one stream, then to the other. */
function both(first: UiStream, second: UiStream): UiStream {
  const names = Object.keys(first) as (keyof UiStream)[]
  const writers = names.map((name) => [
    name,
    async (...words: unknown[]): Promise<void> => {
      for (const stream of [first, second]) await Reflect.apply(stream[name], stream, words)
    },
  ])
  return Object.fromEntries(writers)
}
