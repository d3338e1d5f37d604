import type { AgentRun } from '../src/index.ts'
import { recordUi } from './ui-recorder.ts'
import { createWorkspace } from './workspace.ts'

/** A run in a workspace of its own, with what it shows. */
export async function createRun(given: Partial<AgentRun> = {}) {
  const space = await createWorkspace()
  const shown = recordUi()
  const run: AgentRun = {
    prompt: 'Build something',
    workdir: space.workdir,
    runId: 'run_1',
    channel: space.channel,
    ui: shown.ui,
    signal: new AbortController().signal,
    timeoutMs: 'never',
    timeoutPolicy: 'partial',
    ...given,
  }
  return { run, space, ...shown }
}
