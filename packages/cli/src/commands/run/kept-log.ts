import { userInfo } from 'node:os'
import { AskError, type OnWarning, warningOf } from '@sandagent/core/internal'
import { LocalSandbox, type LocalSandboxOptions, recordOwnRun } from '@sandagent/sdk'
import type { AgentArgs } from './run-args.ts'

/**
 * Keeps a log of a run that a terminal shows, so that whoever answers elsewhere sees what the agent did before. A log that
 * cannot be written stops no run.
 *
 * @throws AskError `CONFLICT` while the run goes on: one answer would reach two agents
 */
export async function keptLog(
  place: Pick<LocalSandboxOptions, 'workdir' | 'stateFolder'>,
  { agent, ...run }: { runId: string; prompt: string; agent: AgentArgs },
  onWarning: OnWarning,
) {
  let log: Awaited<ReturnType<typeof recordOwnRun>> | undefined
  const giveUp = (error: unknown): void => {
    if (error instanceof AskError && error.code === 'CONFLICT')
      throw new AskError(
        'CONFLICT',
        `This run goes on already, or is being stopped. Stop it by sandagent runs stop ${run.runId}, or take another --run-id`,
        { cause: error },
      )
    const warning = warningOf(error)
    onWarning({ ...warning, message: `The inbox will not show what this run does: ${warning.message}` })
    log = undefined
  }
  const program = agent.name === 'acp' ? agent.options : agent
  const args = 'command' in program ? ['--', program.command, ...(program.args ?? [])] : []
  const facts = { ...run, agent: agent.name, args, ...owner() }
  log = (await recordOwnRun(new LocalSandbox(place), facts).catch(giveUp)) ?? undefined
  const close = async (): Promise<void> => log?.close()
  return {
    write: async (event: string): Promise<void> => log?.write(event).catch(giveUp),
    close: (): Promise<void> => close().catch(giveUp),
  }
}

/** The user of this terminal. A user id without an entry on this machine has no name. */
function owner(): { owner?: string } {
  try {
    return { owner: userInfo().username }
  } catch {
    return {}
  }
}
