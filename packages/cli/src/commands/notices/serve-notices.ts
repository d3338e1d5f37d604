import { type OnWarning, warningOf } from '@sandagent/core/internal'
import type { Inbox } from '@sandagent/sdk/inbox'
import { answerPage } from '../../serve/inbox-site.ts'
import { noticesFolder, settingsFile } from './notice-places.ts'

export interface ServedNotices {
  /** The file with the settings. */
  file: string
  /** Sends notices until the signal aborts. Failures are warnings. */
  start(options: { inbox: Inbox; origin: string; signal: AbortSignal; onWarning: OnWarning }): Promise<void>
}

/**
 * Reads the settings of notices; `null` if a person has none.
 *
 * @throws AskError as `readNoticeSettings` does
 */
export async function servedNotices(given: string | undefined): Promise<ServedNotices | null> {
  const file = settingsFile(given)
  if (file === null) return null
  const { readNoticeSettings, startNotices } = await import('@sandagent/notices')
  const settings = await readNoticeSettings(file)
  return {
    file,
    async start({ inbox, origin, signal, onWarning }) {
      try {
        await startNotices({
          ...settings,
          inbox,
          signal,
          onWarning,
          stateFolder: noticesFolder(),
          linkFor: ({ sandboxId, toolCallId, person }) =>
            inbox.answerLink(sandboxId, { toolCallId, page: answerPage(origin), answeredBy: person.name }),
        })
      } catch (error) {
        onWarning(warningOf(error))
      }
    },
  }
}
