// Why it is so: docs/decisions/0096-asking-back-ends-the-call.md

import {
  cutText,
  type FollowedCall,
  MAX_TYPED_CHARS,
  mayFollow,
  type QuestionRecord,
  type RunnerChannel,
} from '@sandagent/core/internal'

/** A call about which a person asked back. */
type AskedCall = Parameters<typeof mayFollow>[1]

/** What a person asked back, until the next call follows it. */
interface OpenThread {
  call: AskedCall
  question: string
  /** What the agent said since. */
  said: string
}

/** The most threads of one channel: an agent need not ask again. */
const MOST_THREADS = 100

const threads = new WeakMap<RunnerChannel, OpenThread[]>()

/**
 * Remembers that a person asked back about a call: the next one like it follows it.
 *
 * @param said what the agent has said since
 */
export function noteAskedBack(channel: RunnerChannel, call: AskedCall, question: string, said = ''): void {
  const others = threadsOf(channel).filter((thread) => thread.call.toolCallId !== call.toolCallId)
  threads.set(channel, [{ call, question, said }, ...others].slice(0, MOST_THREADS))
}

/** Notes what the main agent of a run said. */
export function noteSaid(channel: RunnerChannel, runId: string, text: string): void {
  for (const thread of threadsOf(channel)) {
    const { call, said } = thread
    if (call.runId === runId && !call.asker && said.length < MAX_TYPED_CHARS) thread.said += text
  }
}

/** The call that a new one follows, once. */
export function takeFollowed(channel: RunnerChannel, asked: QuestionRecord): FollowedCall | undefined {
  const thread = threadsOf(channel).find(({ call }) => mayFollow(asked, call))
  if (!thread) return undefined
  threads.set(
    channel,
    threadsOf(channel).filter((other) => other !== thread),
  )
  const reply = cutText(thread.said.trim())
  const { toolCallId } = thread.call
  return { toolCallId, question: thread.question, ...(reply !== '' && { reply }) }
}

const threadsOf = (channel: RunnerChannel): OpenThread[] => threads.get(channel) ?? []
