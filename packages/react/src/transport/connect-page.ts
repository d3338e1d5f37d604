import { type DraftKeeper, type HostLink, type LinkedSession, linkToHost } from '@sandagent/core'
import type { UseAskUserQuestionOptions } from '../use-ask-user-question.ts'
import { lateHttpTransport } from './http-transport.ts'
import { onHidden } from './on-return.ts'

/** Links sessions to the host as the options of the latest render say. */
export function linkPage(
  drafts: DraftKeeper,
  current: () => UseAskUserQuestionOptions,
): (session: LinkedSession) => HostLink {
  const http = lateHttpTransport(current)
  const open = linkToHost({
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
