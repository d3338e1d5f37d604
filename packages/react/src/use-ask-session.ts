import {
  type AnswerTransport,
  type AskSession,
  type AskSessionOptions,
  createAskSession,
  type ToolPart,
  UNSEEN,
} from '@sandagent/core/internal'
import { useEffect, useRef, useState } from 'react'
import type { HttpTransportOptions } from './transport/answer-api.ts'
import { createDraftStorage } from './transport/draft-storage.ts'
import { createHttpTransport } from './transport/http-transport.ts'

/** Which call: the message part that asks, or its id where no message is at hand. */
export type AskedCall =
  | {
      /** The tool part of a chat message that asks: `useChat` of AI SDK 5, 6 or 7, dynamic or static. */
      part: ToolPart
      toolCallId?: undefined
    }
  | {
      /** The id of the call. The host says what it asks. */
      toolCallId: string
      part?: undefined
    }

/** How the page reaches the host, and when it sends an answer. */
export interface AskOptions
  extends Omit<HttpTransportOptions, 'clock'>,
    Pick<AskSessionOptions, 'onAnswer' | 'autoSubmit' | 'undoMs'> {
  /** Takes the place of HTTP. */
  transport?: AnswerTransport | undefined
  /** An id of yours for the person who is signed in. Drafts that the tab keeps are shown to this person alone. */
  userId?: string | undefined
}

export type UseAskUserQuestionOptions = AskOptions & AskedCall

/** The part of a call, or one that stands for it. */
const partOf = (call: AskedCall): ToolPart =>
  call.part ?? { type: UNSEEN, toolCallId: call.toolCallId, state: UNSEEN }

/** One session per tool call. It always uses the options of the latest render. */
export function useAskSession(options: UseAskUserQuestionOptions): AskSession {
  const { userId } = options
  const part = partOf(options)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const open = () => {
    const http = createHttpTransport(() => latest.current)
    const drafts = createDraftStorage(part.toolCallId, userId)
    const session = createAskSession(part, () => ({
      ...latest.current,
      transport: latest.current.transport ?? http,
      drafts,
    }))
    return { session, userId }
  }
  const [held, hold] = useState(open)
  if (held.session.toolCallId !== part.toolCallId || held.userId !== userId) hold(open())
  return held.session
}
