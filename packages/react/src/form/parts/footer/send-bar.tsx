import { type CSSProperties, type ReactElement, useState } from 'react'
import type { UseAskUserQuestionReturn } from '../../../use-ask-user-question.ts'
import type { AskLabels } from '../../labels/ask-labels.ts'
import type { AskComponents, FormPartProps } from '../../state/ask-form.ts'

/** A shorter wait needs no time beside it. */
const LONG_WAIT_MS = 5_000

/** In the place of the buttons of the footer: what can be done while an answer waits to be sent, or is sent again. */
export function SendBar({ form }: FormPartProps): ReactElement {
  const { ask, labels, components } = form
  const { sendsAt } = ask
  if (sendsAt === null)
    return (
      <Retrying ask={ask} labels={labels} Button={components.Button} retry={form.retry} undo={form.undo} />
    )
  const { Button } = components
  return (
    <div className="sa-actions">
      <Countdown key={sendsAt} endsAt={sendsAt} />
      <Button onClick={form.undo}>{labels.undo}</Button>
      {/* In the place of the button that sends: a click on its way there does what was meant. */}
      <Button onClick={() => form.submit()}>{labels.sendNow}</Button>
    </div>
  )
}

/** Its animation lasts as long as there is time, also if the form changes meanwhile. */
function Countdown({ endsAt }: { endsAt: number }): ReactElement {
  const [leftMs] = useState(() => Math.max(0, endsAt - Date.now()))
  const style = { '--_left': `${leftMs}ms` } as CSSProperties
  return <span className="sa-countdown" style={style} aria-hidden="true" />
}

interface RetryingProps {
  ask: UseAskUserQuestionReturn
  labels: AskLabels
  Button: AskComponents['Button']
  retry(): void
  undo(): void
}

/** For an answer that is sent again by itself: when, and two buttons. */
export function Retrying({ ask, labels, Button, retry, undo }: RetryingProps): ReactElement {
  const { retryAt } = ask
  const isLong = retryAt !== null && retryAt - Date.now() > LONG_WAIT_MS
  return (
    <div className="sa-actions">
      {/* Not in the status: a screen reader would read each new time. */}
      {isLong && <span className="sa-next-try">{labels.nextTry(new Date(retryAt))}</span>}
      <Button onClick={undo}>{labels.stopTrying}</Button>
      <Button onClick={retry}>{labels.tryNow}</Button>
    </div>
  )
}
