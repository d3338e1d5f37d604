import { type Clock, type OnWarning, sleep, warningOf } from '@sandagent/core/internal'
import { hasAskerEnded } from '@sandagent/files/internal'
import type { InboxSandboxes } from '@sandagent/inbox'
import type { AnswerableSandbox } from '@sandagent/sdk'
import { hasRunEnded } from '@sandagent/sdk/internal'
import { endOf, type Grant } from './grant.ts'
import type { GrantFiles } from './grant-files.ts'

/** How often ended grants are looked for, in milliseconds. */
const SWEEP_EVERY_MS = 60_000

/** How long a grant stays after its end, in milliseconds, so that people see why they are asked again. */
const KEEP_MS = 7 * 86_400_000

/** How long a grant for one run stays whose end nobody can tell, in milliseconds. */
const LONGEST_RUN_MS = 30 * 86_400_000

interface SweepOptions {
  files: GrantFiles
  sandboxes: InboxSandboxes
  placeOf(sandbox: AnswerableSandbox): string | undefined
  onWarning: OnWarning
  clock: Clock
  signal: AbortSignal
}

/** Ends the grants of runs that have ended, and removes old ones, until the signal aborts. */
export async function sweepGrants(options: SweepOptions): Promise<void> {
  const { onWarning, clock, signal } = options
  while (!signal.aborted) {
    await sweepOnce(options).catch((error: unknown) => onWarning(warningOf(error)))
    await sleep(clock, SWEEP_EVERY_MS, signal)
  }
}

async function sweepOnce({ files, sandboxes, placeOf, clock }: SweepOptions): Promise<void> {
  const grants = await files.all()
  if (grants.length === 0) return
  const now = clock.now()
  const all = typeof sandboxes === 'function' ? await sandboxes() : sandboxes
  for (const grant of grants) {
    const { span, givenAt } = grant
    const end = endOf(grant, now)
    const isOld = end !== null && now - end > KEEP_MS
    const isLost = span.kind === 'run' && now - Date.parse(givenAt) > LONGEST_RUN_MS
    if (isOld || isLost) await files.remove(grant.id)
    else if (end === null && span.kind === 'run') {
      const { sandbox } = all.find((each) => placeOf(each.sandbox) === grant.place) ?? {}
      if ((await hasAskerEnded(span)) || (sandbox?.files && (await hasRunEnded(sandbox, span))))
        await files.replace(endedWithRun(grant, now))
    }
  }
}

const endedWithRun = (grant: Grant, now: number): Grant => ({
  ...grant,
  ended: { at: new Date(now).toISOString(), kind: 'run-ended' },
})
