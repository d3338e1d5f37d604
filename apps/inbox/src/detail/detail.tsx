import { ignoredText } from '@sandagent/core/internal'
import type { InboxQuestion, QuestionInContext } from '@sandagent/inbox'
import { type ReactElement, type ReactNode, useState } from 'react'
import { hrefTo } from '../data/address.ts'
import { parseKey, questionUrl, textOf } from '../data/api.ts'
import { entryOf, type WaitingEntry } from '../data/inbox-state.ts'
import { useFetched } from '../data/use-fetched.ts'
import { titleOf } from '../list/title.ts'
import { agoOf } from '../time.ts'
import { Context } from './context.tsx'
import { Facts } from './facts.tsx'
import { WaitingForm, type WaitingFormProps } from './waiting-form.tsx'

interface DetailProps extends Omit<WaitingFormProps, 'entry' | 'onReplaced'> {
  entryKey: string
  /** The question as a list has it. */
  listed: InboxQuestion | undefined
  /** Moves on by itself. What was before is read again then: other agents of the run may go on. */
  now: number
  /** Buttons that act on the question. */
  children: ReactNode
}

/** A question with what its agent did before, and the form. It stays when the question leaves the list. */
export function Detail({ entryKey, listed, now, children, ...handlers }: DetailProps): ReactElement {
  const [held, hold] = useState(listed)
  if (listed && listed !== held) hold(listed)
  /** What the form’s own stream says is asked now. The list says it a moment later. */
  const [replaced, setReplaced] = useState<{ by: WaitingEntry; listed: InboxQuestion | undefined } | null>(
    null,
  )
  const name = parseKey(entryKey)
  const { value: found, problem } = useFetched<QuestionInContext>(name && questionUrl(name), now)
  const newest = replaced && replaced.listed === listed ? replaced.by : (listed ?? held ?? found)
  if (!newest)
    return (
      <article className="detail" aria-busy={problem === null && name !== null}>
        <div className="bar">{children}</div>
        {(problem !== null || name === null) && (
          <p role="status">{problem ?? 'There is no such question.'}</p>
        )}
      </article>
    )
  const entry = 'dueAt' in newest ? (newest as WaitingEntry) : entryOf(newest, now)
  const { question } = entry
  return (
    <article className="detail" aria-label={titleOf(question)}>
      <div className="bar">{children}</div>
      <Facts facts={factsOf(entry, found, now)} />
      {question.ignored && !question.rule?.passkey && <p className="note">{ignoredText(question)}.</p>}
      {found ? (
        <Context {...found} />
      ) : (
        problem !== null && <p className="note">What was before cannot be shown: {problem}</p>
      )}
      <WaitingForm
        key={`${question.askedAt} ${question.questionDigest}`}
        entry={entry}
        onReplaced={(view) => setReplaced({ by: entryOf({ ...entry, question: view }, Date.now()), listed })}
        {...handlers}
      />
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
    <a href={hrefTo('runs', textOf({ sandboxId, id: runId }))}>What it did</a>
  )
  return [
    ['Folder', sandboxName],
    ['Agent', asker?.agent ?? found?.run?.agent],
    ['Started by', asker?.parentToolCallId && `the call ${asker.parentToolCallId}`],
    ['Run', run || runId],
    ['Asked', askedAt && agoOf(askedAt, now)],
  ]
}
