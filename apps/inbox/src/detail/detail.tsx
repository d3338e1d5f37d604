import type { InboxQuestion, QuestionInContext } from '@sandagent/sdk/inbox'
import { type ReactElement, type ReactNode, useState } from 'react'
import { parseKey, questionUrl } from '../data/api.ts'
import { useFetched } from '../data/use-fetched.ts'
import { titleOf } from '../list/title.ts'
import { spanOf } from '../time.ts'
import { Context } from './context.tsx'
import { QuestionForm } from './question-form.tsx'

interface DetailProps {
  entryKey: string
  /** The question as a list has it. */
  listed: InboxQuestion | undefined
  /** Moves on by itself. What was before is read again then: other agents of the run may go on. */
  now: number
  /** Called when the server has stored the person's final answer. */
  onAnswered: (entry: InboxQuestion) => void
  /** Buttons that act on the question. */
  children: ReactNode
}

/** A question with what its agent did before, and the form. It stays when the question leaves the list. */
export function Detail({ entryKey, listed, now, onAnswered, children }: DetailProps): ReactElement {
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
      <Facts entry={entry} found={found} now={now} />
      {found && <Context {...found} />}
      <QuestionForm entry={entry} onAnswered={() => onAnswered(entry)} />
    </article>
  )
}

/** Who asks, where, and since when. */
function Facts({
  entry,
  found,
  now,
}: {
  entry: InboxQuestion
  found: QuestionInContext | null
  now: number
}): ReactElement {
  const { sandboxName, runId, question } = entry
  const { asker, askedAt, runEnded } = question
  const facts: [string, string | undefined][] = [
    ['Folder', sandboxName],
    ['Agent', asker?.agent ?? found?.run?.agent],
    ['Started by', asker?.parentToolCallId && `the call ${asker.parentToolCallId}`],
    ['Run', runId],
    ['Asked', askedAt && `${spanOf(Math.max(0, now - Date.parse(askedAt)))} ago`],
  ]
  return (
    <>
      <dl className="facts">
        {facts.map(
          ([label, value]) =>
            value !== undefined &&
            value !== '' && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {runEnded && question.state === 'open' && (
        <p className="note">The agent has ended. It takes the answer when somebody starts it again.</p>
      )}
    </>
  )
}
