import type { QuestionView } from '@sandagent/react'
import { type ReactElement, useEffect, useMemo, useState } from 'react'
import { answerUrl, linkedQuestionUrl } from '../data/api.ts'
import { useFetched } from '../data/use-fetched.ts'
import { QuestionForm } from '../detail/question-form.tsx'
import { titleOf } from '../list/title.ts'
import { useNow } from '../time.ts'

const THANKS = 'Your answer is stored. You can close this page.'

/** How often the page looks whether the link still counts, in milliseconds. */
const CHECK_MS = 3_000

/** The question that the address of the page names, for somebody who is not signed in: the token of the link counts. */
export function LinkedQuestion(): ReactElement {
  const [{ sandboxId, toolCallId, token }] = useState(linkInAddress)
  const headers = useMemo(() => ({ authorization: `Bearer ${token}` }), [token])
  const isComplete = [sandboxId, toolCallId, token].every((part) => part !== '')
  const [isAnswered, setAnswered] = useState(false)
  const url = isComplete && !isAnswered ? linkedQuestionUrl({ sandboxId, id: toolCallId }) : null
  const { value: question, problem } = useFetched<QuestionView>(url, useNow(CHECK_MS), headers)
  const title = question ? titleOf(question) : 'A question'
  useEffect(() => {
    document.title = title
  }, [title])
  const told = isAnswered ? THANKS : isComplete ? problem : 'A part of this link is missing.'
  return (
    <main className="answer" aria-busy={!question && told === null}>
      <h1>
        <span className="mark" aria-hidden="true" /> A question for you
      </h1>
      {told !== null && <p role="status">{told}</p>}
      {question && (
        <QuestionForm
          sandboxId={sandboxId}
          question={question}
          connection={{
            answerEndpoint: answerUrl(sandboxId),
            headers,
            onAnswer: ({ status }) => status !== 'pending' && setAnswered(true),
          }}
        />
      )}
    </main>
  )
}

/** What stands behind the `#` reaches no server. */
function linkInAddress(): { sandboxId: string; toolCallId: string; token: string } {
  const known = new URLSearchParams(location.hash.slice(1))
  const part = (name: string): string => known.get(name) ?? ''
  return { sandboxId: part('sandbox'), toolCallId: part('toolCallId'), token: part('token') }
}
