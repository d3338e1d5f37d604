import { sleep } from '@sandagent/core/internal'
import type { NoticeEnding } from '../notice.ts'
import type { SentNotice } from '../sent/sent-notices.ts'
import { failureOf, waitAfter, withTimeout } from './delivery.ts'
import type { NoticesContext } from './notices-options.ts'
import type { Slot } from './slots.ts'

interface SettleContext extends Pick<NoticesContext, 'sinks' | 'sent' | 'onWarning' | 'clock' | 'signal'> {
  /** The room of each sink for such calls. */
  inSink: (sink: string) => Slot
}

/** Tells the sinks that a question has ended, and forgets what was sent about it. What could not be sent stays. */
export async function settleNotices(
  key: string,
  ending: NoticeEnding,
  context: SettleContext,
): Promise<void> {
  const notices = (await context.sent.of(key)).filter(({ failure }) => failure === undefined)
  await Promise.all(
    notices.map(async (notice) => {
      await settle(notice, ending, context)
      if (!context.signal.aborted) await context.sent.remove(notice)
    }),
  )
}

async function settle({ subject, sink, message }: SentNotice, ending: NoticeEnding, context: SettleContext) {
  const { sinks, clock, signal, onWarning, inSink } = context
  for (let tries = 1; !signal.aborted; tries++) {
    try {
      await inSink(sink)(async () => {
        if (signal.aborted) return
        await withTimeout(
          async (timeout) => sinks[sink]?.settle?.(subject, message, ending, { signal: timeout }),
          context,
        )
      })
      return
    } catch (error) {
      const wait = waitAfter(error, tries)
      if (wait !== null) await sleep(clock, wait, signal)
      else {
        const what = `The notice for ${subject.person.name} by ${sink} still says that the question waits`
        return onWarning(failureOf(error, what, subject.toolCallId))
      }
    }
  }
}
