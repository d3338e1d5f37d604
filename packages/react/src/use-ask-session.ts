import {
  type AnswerTransport,
  type AskSession,
  type AskSessionOptions,
  createAskSession,
  type ToolPart,
} from '@sandagent/core/internal'
import { useEffect, useRef, useState } from 'react'
import type { HttpTransportOptions } from './transport/answer-api.ts'
import { createDraftStorage } from './transport/draft-storage.ts'
import { createHttpTransport } from './transport/http-transport.ts'

export interface UseAskUserQuestionOptions
  extends Omit<HttpTransportOptions, 'clock'>,
    Pick<AskSessionOptions, 'onAnswer' | 'autoSubmit' | 'undoMs'> {
  /** The tool part of a chat message that asks: `useChat` of AI SDK 5, 6 or 7, dynamic or static. */
  part: ToolPart
  /** Takes the place of HTTP. */
  transport?: AnswerTransport | undefined
  /** An id of yours for the person who is signed in. Drafts that the tab keeps are shown to this person alone. */
  userId?: string | undefined
}

/** One session per tool call. It always uses the options of the latest render. */
export function useAskSession(options: UseAskUserQuestionOptions): AskSession {
  const { part, userId } = options
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const open = (): AskSession => {
    const http = createHttpTransport(() => latest.current)
    const drafts = createDraftStorage(part.toolCallId, userId)
    return createAskSession(part, () => ({
      ...latest.current,
      transport: latest.current.transport ?? http,
      drafts,
    }))
  }
  const [{ session, ...held }, hold] = useState(() => ({ session: open(), userId }))
  if (session.toolCallId !== part.toolCallId || held.userId !== userId) hold({ session: open(), userId })
  return session
}
