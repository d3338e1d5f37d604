import { join } from 'node:path'
import { AskError, digestOf, warningOf } from '@sandagent/core/internal'
import { hostConfigFolder } from '@sandagent/files/internal'
import { type NoticesOptions, startNotices } from '@sandagent/notices'
import { createWebPush } from '@sandagent/notices/web-push'
import { errorResponse, type WebHandler } from '@sandagent/sdk'
import { answerPage, type Served } from './inbox-site.ts'

/** How long a question waits before browsers are told, in minutes: who looks at the page answers it there. */
const AFTER_MINUTES = 0.5

/**
 * Tells the browsers that a person has subscribed about each question, until the signal aborts. Without a place for its files
 * the inbox works too: a warning says why there are no notices.
 *
 * @returns the routes by which browsers subscribe, and what resolves when nothing is under way any more
 */
export async function startPushNotices(
  served: Served,
): Promise<{ handler: WebHandler; ended: Promise<void> }> {
  const { inbox, signingKeys, origin, answeredBy: person, roles, onWarning, signal } = served
  // Lets push services on this machine in, for tests.
  const allowLoopback = process.env.SANDAGENT_PUSH_LOOPBACK === '1'
  const folder = join(hostConfigFolder(), 'web-push')
  try {
    const personIn = async (): Promise<string> => person
    const push = await createWebPush({ folder, origin, signingKeys, allowLoopback, personIn })
    const page = answerPage(origin)
    const notices: NoticesOptions = {
      inbox,
      sinks: { push: push.sink },
      people: { [person]: { addresses: { push: true } } },
      rules: [{ tell: [{ afterMinutes: AFTER_MINUTES }] }],
      folder: join(folder, 'sent', digestOf([origin, person]).slice(0, 32)),
      async linkFor({ sandboxId, toolCallId }) {
        // The notice waits until then.
        if (!(await push.isSubscribed(person))) throw new AskError('NOT_FOUND', 'No browser is subscribed')
        return inbox.answerLink(sandboxId, { toolCallId, page, answeredBy: person, roles })
      },
      onWarning,
      signal,
    }
    const ended = startNotices(notices).catch((error: unknown) => onWarning(warningOf(error)))
    return { handler: push.handler, ended }
  } catch (error) {
    const { code, message } = warningOf(error)
    onWarning({ code, message: `Browsers get no notices: ${message}` })
    const handler: WebHandler = async () =>
      errorResponse(new AskError('UNREACHABLE', 'This host has no notices: its terminal says why'), () => {})
    return { handler, ended: Promise.resolve() }
  }
}
