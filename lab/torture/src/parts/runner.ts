import { setTimeout as sleep } from 'node:timers/promises'
import { AskError, type Outcome } from '@sandagent/core'
import { createFileRunnerChannel } from '@sandagent/files'
import { askUser, createVerifiedChannel, receiptsWritten } from '@sandagent/runner'
import type { Ask, Order } from '../messages.ts'
import { questionsOf } from './questions-of.ts'
import { report, settings } from './settings/settings.ts'

/** What an agent does that has lost its disk for a moment: it asks again. */
const PAUSE_MS = 100

/** How long a runner that is told to end tries to write its receipts. */
const RECEIPTS_MS = 5000

/** A runner asks what the driver says, and reports what the agent gets. */
export function startRunner(): (order: Order) => void {
  const { signedRuns, publicKeys } = settings
  const files = createFileRunnerChannel({
    workdir: settings.workdirs[settings.run] ?? '',
    onWarning: () => {},
  })
  const channel = signedRuns.includes(settings.run) ? createVerifiedChannel(files, { publicKeys }) : files

  const asking = new Set<string>()
  const ask = async ({ toolCallId, text, timeoutMs, generation }: Ask): Promise<void> => {
    const request = { toolCallId, questions: questionsOf(text), runId: `run-${settings.run}` }
    for (;;) {
      try {
        const outcome = await askUser(channel, request, {
          timeoutMs,
          timeoutPolicy: 'decline',
          onAsked: () => report({ asked: toolCallId, generation }),
          onWarning: () => {},
        })
        report({ outcome: toolCallId, generation, kind: outcome.kind, answer: textOf(outcome) })
        return
      } catch (error) {
        // Another runner may ask the earlier question with this id until its record is replaced.
        if (!(error instanceof AskError) && !(error instanceof Error && 'code' in error)) throw error
        await sleep(PAUSE_MS)
      }
    }
  }

  const end = async (): Promise<void> => {
    await Promise.race([receiptsWritten(), sleep(RECEIPTS_MS)])
    process.exit()
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => void end())
  return (order) => {
    if (!('ask' in order)) return
    const { toolCallId, generation } = order.ask
    const key = `${toolCallId} ${generation}`
    if (asking.has(key)) return
    asking.add(key)
    void ask(order.ask).finally(() => asking.delete(key))
  }
}

/** What the person said: the answer, or the reason of a refusal. */
const textOf = ({ responses, reason }: Outcome): string | null => {
  const response = responses.q
  return (response && 'freeText' in response ? response.freeText : undefined) ?? reason ?? null
}
