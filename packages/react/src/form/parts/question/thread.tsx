import { visible } from '@sandagent/core/internal'
import { Fragment, type ReactElement } from 'react'
import { englishAskBackLabels } from '../../labels/ask-back-labels.ts'
import type { AskingBackProps } from '../../state/ask-form.ts'

/**
 * What people asked back before this call, as the host has stored it, and what the agent said then. The agent's words stand
 * behind its bar, as they are written.
 */
export function Thread({ form }: AskingBackProps): ReactElement {
  const labels = { ...englishAskBackLabels, ...form.labels }
  return (
    <div className="sa-thread">
      {form.ask.thread.map(({ question, name, isOwn = false, reply }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an exchange is its position
        <Fragment key={index}>
          <figure>
            <figcaption className="sa-hint">{labels.askedBefore(name && visible(name), isOwn)}</figcaption>
            <p className="sa-reason" dir="auto">
              {visible(question)}
            </p>
          </figure>
          {reply !== undefined && (
            <figure className="sa-given">
              <figcaption className="sa-hint">{labels.replied}</figcaption>
              <p className="sa-reason" dir="auto">
                {visible(reply)}
              </p>
            </figure>
          )}
        </Fragment>
      ))}
    </div>
  )
}
