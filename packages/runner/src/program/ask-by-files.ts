import { randomUUID } from 'node:crypto'
import {
  type AskedQuestion,
  demandIn,
  type Outcome,
  type RunnerChannel,
  sleep,
  systemClock,
} from '@sandagent/core/internal'
import { createFileRunnerChannel } from '@sandagent/files'
import type { AskOptions } from '../ask/ask-options.ts'
import { askUser } from '../ask/ask-user.ts'
import { receiptsWritten } from '../ask/receipts.ts'
import { parsePublicKeys } from '../ask/verify/public-keys.ts'
import { createVerifiedChannel } from '../ask/verify/verified-channel.ts'

/** One call of `ask`. */
export interface ProgramCall extends Pick<AskOptions, 'timeoutMs' | 'timeoutPolicy' | 'signal'> {
  id: string
  questions: AskedQuestion[]
  blocking?: boolean | undefined
}

let channel: RunnerChannel | undefined
/** Without an id of its own, each start of the program is another run, and asks anew. */
const ownRunId = randomUUID()

/** How long a receipt is waited for, in milliseconds: nobody writes it once the program has ended. */
const RECEIPT_MS = 2000

/** Asks in the folder where the program runs. Any host, page or terminal that looks into it can answer. */
export async function askByFiles({ id, questions, blocking, ...options }: ProgramCall): Promise<Outcome> {
  const { SANDAGENT_WORKDIR: workdir = '.', SANDAGENT_RUN_ID: runId = ownRunId } = process.env
  channel ??= channelIn(workdir)
  const outcome = await askUser(
    channel,
    { toolCallId: `${runId}-${id}`, runId, questions, blocking },
    { ...options, asksWithdrawn: true, onAsked: process.stderr.isTTY ? () => tell(workdir) : undefined },
  )
  const stop = new AbortController()
  await Promise.race([receiptsWritten(), sleep(systemClock, RECEIPT_MS, stop.signal)])
  stop.abort()
  return outcome
}

function channelIn(workdir: string): RunnerChannel {
  const files = createFileRunnerChannel({ workdir })
  const demand = demandIn(process.env)
  return demand
    ? createVerifiedChannel(files, { ...demand, publicKeys: parsePublicKeys(demand.publicKeys) })
    : files
}

/** Nobody sees the question in this terminal. */
function tell(workdir: string): void {
  const place = workdir === '.' ? 'this folder' : workdir
  console.error(`A question waits. Answer it in another terminal, in ${place}: npx sandagent answer`)
}
