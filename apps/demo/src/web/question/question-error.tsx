import type { UseAskUserQuestionReturn } from '@sandagent/sdk/react'
import type { ReactElement } from 'react'

/** What went wrong, in the words of whoever refused, and the way on. */
export function QuestionError({ ask }: { ask: UseAskUserQuestionReturn }): ReactElement {
  const { error, status, retry } = ask
  return (
    <div role="alert" className="error">
      {error && (
        <p>
          {error.code === 'INVALID_ANSWERS' ? 'Please answer what is marked' : error.message}{' '}
          {status === 'failed' && (
            <button type="button" className="plain" onClick={retry}>
              Try again
            </button>
          )}
        </p>
      )}
    </div>
  )
}
