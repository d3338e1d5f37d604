import { type OnWarning, warningOf } from '@sandagent/core/internal'
import type { Inbox } from '@sandagent/inbox'
import type { WebHandler } from '@sandagent/sdk'
import { answerPage } from '../../serve/inbox-site.ts'
import { noticesFolder, settingsFile } from './notice-places.ts'

export interface ServedNotices {
  /** The file with the settings. */
  file: string
  /** The names of the people in the settings. Answers by mail and Slack have these names. */
  people: string[]
  /** Takes what people click and enter in Slack; `null` if the settings have no signing secret of Slack. */
  slackHandler(inbox: Inbox): WebHandler | null
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
  const { createSlackHandler, readNoticeSettings, startNotices } = await import('@sandagent/notices')
  const { slack, ...settings } = await readNoticeSettings(file)
  return {
    file,
    people: Object.keys(settings.people),
    slackHandler: (inbox) => (slack ? createSlackHandler({ ...slack, inbox }) : null),
    async start({ inbox, origin, signal, onWarning }) {
      try {
        await startNotices({
          ...settings,
          inbox,
          signal,
          onWarning,
          folder: noticesFolder(),
          linkFor: ({ sandboxId, toolCallId, person }) =>
            inbox.answerLink(sandboxId, {
              toolCallId,
              page: answerPage(origin),
              answeredBy: person.name,
              roles: settings.people[person.name]?.roles,
            }),
        })
      } catch (error) {
        onWarning(warningOf(error))
      }
    },
  }
}
