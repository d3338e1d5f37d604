import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Case, PlannedAct } from '../check/case.ts'
import { cameTrue } from '../lib/wait-for.ts'
import type { World } from './world.ts'

/** How long each thing may take, in milliseconds. Other faults may keep it from happening. */
const PATIENCE_MS = 4000
const OUTCOME_PATIENCE_MS = 10_000

/**
 * A host claims a draft and stands still. Another host stores the final answer. Then the first one goes on, and puts its draft
 * in the place of the answer. The runner is killed before, and starts again in this moment.
 */
export async function playFrozenDraft(
  { ask, run, acts, outcomes }: Case,
  { frozen, parts }: World,
  begin: (act: PlannedAct) => void,
): Promise<void> {
  const [draft, answer] = acts
  if (!draft || !answer) return
  mkdirSync(frozen, { recursive: true })
  const mark = join(frozen, ask.toolCallId)
  const say = (what: 'go' | 'end'): void => {
    // The torture may be over by now, and its folders gone.
    if (existsSync(frozen)) writeFileSync(`${mark}.${what}`, '')
  }
  begin(draft)
  if (await cameTrue(() => existsSync(`${mark}.stands`), PATIENCE_MS))
    parts.get(`runner-${run}`)?.signal('SIGKILL')
  begin(answer)
  await cameTrue(() => answer.ending !== undefined, PATIENCE_MS)
  say('go')
  await cameTrue(() => outcomes.length > 0, OUTCOME_PATIENCE_MS)
  say('end')
}
