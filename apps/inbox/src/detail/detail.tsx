import type { InboxQuestion, QuestionInContext } from '@sandagent/inbox'
import type { PageAnswer } from '@sandagent/react'
import { type ReactElement, type ReactNode, useState } from 'react'
import { hrefTo } from '../data/address.ts'
import { parseKey, questionUrl, textOf } from '../data/api.ts'
import { useFetched } from '../data/use-fetched.ts'
import { titleOf } from '../list/title.ts'
import { agoOf } from '../time.ts'
import { Context } from './context.tsx'
import { Facts } from './facts.tsx'
import { QuestionForm } from './question-form.tsx'

interface DetailProps {
  entryKey: string
  /** The question as a list has it. */
  listed: InboxQuestion | undefined
  /** Moves on by itself. What was before is read again then: other agents of the run may go on. */
  now: number
  /** Called when the server has stored the person's final answer. */
  onAnswered: (entry: InboxQuestion, answer: PageAnswer) => void
  /** Leads back to the list. */
  onLeave: () => void
  /** Buttons that act on the question. */
  children: ReactNode
}

/** A question with what its agent did before, and the form. It stays when the question leaves the list. */
export function Detail({ entryKey, listed, now, onAnswered, onLeave, children }: DetailProps): ReactElement {
  const [held, hold] = useState(listed)
  if (listed && listed !== held) hold(listed)
  const name = parseKey(entryKey)
  const { value: found, problem } = useFetched<QuestionInContext>(name && questionUrl(name), now)
  const entry = listed ?? held ?? found
  if (!entry)
    return (
      <article className="detail" aria-busy={problem === null && name !== null}>
        <div className="bar">{children}</div>
        {(problem !== null || name === null) && (
          <p role="status">{problem ?? 'There is no such question.'}</p>
        )}
      </article>
    )
  return (
    <article className="detail" aria-label={titleOf(entry.question)}>
      <div className="bar">{children}</div>
      <Facts facts={factsOf(entry, found, now)} />
      {entry.question.runEnded && entry.question.state === 'open' && (
        <p className="note">The agent has ended. It takes the answer when somebody starts it again.</p>
      )}
      {found && <Context {...found} />}
      <QuestionForm entry={entry} onAnswered={(answer) => onAnswered(entry, answer)} onLeave={onLeave} />
    </article>
  )
}

/** Who asks, where, and since when. */
function factsOf(
  { sandboxId, sandboxName, runId, question }: InboxQuestion,
  found: QuestionInContext | null,
  now: number,
): [string, ReactNode][] {
  const { asker, askedAt } = question
  const run = runId !== undefined && found?.run && (
    <a href={hrefTo('runs', textOf({ sandboxId, id: runId }))}>{runId}</a>
  )
  return [
    ['Folder', sandboxName],
    ['Agent', asker?.agent ?? found?.run?.agent],
    ['Started by', asker?.parentToolCallId && `the call ${asker.parentToolCallId}`],
    ['Run', run || runId],
    ['Asked', askedAt && agoOf(askedAt, now)],
  ]
}
