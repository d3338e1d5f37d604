import {
  type ConnectedSession,
  connectToHost,
  type DraftKeeper,
  type HostConnection,
} from '@sandagent/core/internal'
import type { UseAskUserQuestionOptions } from '../use-ask-user-question.ts'
import { lazyHttpTransport } from './http-transport.ts'
import { onHidden } from './on-return.ts'

/** Links sessions to the host as the options of the latest render say. */
export function linkPage(
  drafts: DraftKeeper,
  current: () => UseAskUserQuestionOptions,
): (session: ConnectedSession) => HostConnection {
  const http = lazyHttpTransport(current)
  const open = connectToHost({
    get transport() {
      return current().transport ?? http
    },
    get onAnswer() {
      return current().onAnswer
    },
    drafts,
  })
  return (session) => {
    const link = open(session)
    return {
      ...link,
      start() {
        const stop = link.start()
        const stopListening = onHidden(link.save)
        return () => {
          stopListening?.()
          stop()
        }
      },
    }
  }
}
