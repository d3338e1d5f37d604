import { type HostLink, type LinkedSession, linkToHost } from '@sandagent/core'
import { lateHttpTransport } from './http-transport.ts'
import { keepDrafts } from './keep-drafts.ts'
import type { UseAskUserQuestionOptions } from './use-ask-user-question.ts'

/** Links sessions to the host as the options of the latest render say. */
export function linkPage(
  toolCallId: string,
  current: () => UseAskUserQuestionOptions,
): (session: LinkedSession) => HostLink {
  const http = lateHttpTransport(current)
  return linkToHost({
    get transport() {
      return current().transport ?? http
    },
    get onAnswer() {
      return current().onAnswer
    },
    drafts: keepDrafts(toolCallId),
  })
}
