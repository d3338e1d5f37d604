import { warningOf } from '@sandagent/core/internal'
import type { Inbox } from '@sandagent/inbox'
import type { WebHandler } from '@sandagent/sdk'
import { answerPage, type Served } from '../../serve/inbox-site.ts'
import { noticesFolder, settingsFile } from './notice-places.ts'

/**
 * Reads the settings of notices; `null` if a person has none.
 *
 * @throws AskError as `readNoticeSettings` does
 */
export async function servedNotices(given: string | undefined) {
  const file = settingsFile(given)
  if (file === null) return null
  const { createSlackHandler, readNoticeSettings, startNotices } = await import('@sandagent/notices')
  const { slack, ...settings } = await readNoticeSettings(file)
  return {
    file,
    /** Answers by mail and Slack have these names. */
    people: Object.keys(settings.people),
    /** Takes what people click and enter in Slack; `null` if the settings have no signing secret of Slack. */
    slackHandler: (inbox: Inbox): WebHandler | null =>
      slack ? createSlackHandler({ ...slack, inbox }) : null,
    /** Sends notices until the signal aborts. Failures are warnings. */
    async start({ inbox, origin, signal, onWarning }: Served): Promise<void> {
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
