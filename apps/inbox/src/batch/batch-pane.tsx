import { ARRIVAL_GUARD_MS, optionFor, optionValue, visible } from '@sandagent/core/internal'
import { type PageAnswer, ToolCall } from '@sandagent/react'
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react'
import type { WaitingEntry } from '../data/inbox-state.ts'
import { useArrival } from '../keys/arrival.ts'
import type { Given } from '../outbox/given-text.ts'
import type { Batch } from './use-batch.ts'
import { useReadThrough } from './use-read-through.ts'

interface BatchPaneProps {
  batch: Batch
  onDecide: (given: readonly Given[]) => void
  children: ReactNode
}

/** Several calls of one tool, each in full, and one decision for all. Allowing needs that all of them were in sight. */
export function BatchPane({ batch: { calls, leftOut }, onDecide, children }: BatchPaneProps): ReactElement {
  const pane = useRef<HTMLUListElement>(null)
  const names = calls.map(({ key, question }) => `${key} ${question.questionDigest}`)
  const read = useReadThrough(pane, names)
  const unread = names.filter((name) => !read.has(name)).length
  useArrival(names.join())
  const hasArrived = useSettled(names.join())
  const toolName = visible(calls[0]?.question.subject?.toolName ?? '')
  const count = calls.length === 1 ? 'this call' : `these ${calls.length} calls`
  const decide = (decision: 'allowOnce' | 'deny'): void =>
    onDecide(calls.flatMap((entry) => givenFor(entry, decision) ?? []))
  return (
    <article className="batch" aria-label={`${calls.length} calls of ${toolName}`}>
      <div className="bar">{children}</div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it */}
      <ul ref={pane} className="batch-calls" aria-label="The calls" tabIndex={0}>
        {calls.map(({ sandboxName, question }, index) => {
          const name = names[index] ?? ''
          return (
            <li key={name} data-read={name} aria-posinset={index + 1} aria-setsize={calls.length}>
              <p className="label">
                {index + 1} of {calls.length} · <bdi>{sandboxName}</bdi>
                {question.asker?.agent !== undefined && (
                  <>
                    {' · '}
                    <bdi>{question.asker.agent}</bdi>
                  </>
                )}
              </p>
              <ToolCall view={question} />
              <p className="label batch-seen" hidden={!read.has(name)}>
                ✓ seen
              </p>
            </li>
          )
        })}
      </ul>
      <div className="batch-footer sa-ask">
        <p role="status">
          {leftOut > 0 && `${leftOut} left out: changed, or waits no more. `}
          {unread > 0 ? `Read on: ${unread} of ${calls.length} not seen to the end.` : 'All seen.'}
        </p>
        <div className="sa-actions">
          <button
            type="button"
            className="sa-button sa-deny"
            data-decision="deny"
            disabled={!hasArrived || calls.length === 0}
            onClick={() => decide('deny')}
          >
            Deny {count}
          </button>
          <button
            type="button"
            className="sa-button"
            data-decision="allowOnce"
            disabled={!hasArrived || unread > 0 || calls.length === 0}
            onClick={() => decide('allowOnce')}
          >
            Allow {count}
          </button>
        </div>
      </div>
    </article>
  )
}

/** Whether these calls have been there for a moment. */
function useSettled(names: string): boolean {
  const [arrived, setArrived] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setArrived(names), ARRIVAL_GUARD_MS)
    return () => clearTimeout(timer)
  }, [names])
  return arrived === names
}

/** The answer to one of the calls, for what the person saw of it. */
function givenFor(entry: WaitingEntry, decision: 'allowOnce' | 'deny'): Given | null {
  const { toolCallId, questions, questionDigest, askedAt, traceparent } = entry.question
  const [asked] = questions
  const option = optionFor(asked, decision)
  if (!asked || !option) return null
  const responses = { [asked.id]: { selected: [optionValue(option)], source: 'human' as const } }
  const answer: PageAnswer = {
    ...{ toolCallId, questionDigest, askedAt, traceparent, responses },
    ...{ questions: [], answers: {}, status: 'completed' },
  }
  return { entry, answer }
}
