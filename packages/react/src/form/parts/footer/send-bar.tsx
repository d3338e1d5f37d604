import { type CSSProperties, type ReactElement, useState } from 'react'
import type { FooterPartProps } from '../../state/ask-form.ts'

/** A shorter wait needs no time beside it. */
const LONG_WAIT_MS = 5_000

/** In the place of the buttons of the footer: what can be done while an answer waits to be sent, or is sent again. */
export function SendBar({ form }: FooterPartProps): ReactElement {
  const { labels } = form
  const { Button } = form.components
  const { sendsAt, retryAt } = form.ask
  if (sendsAt === null)
    return (
      <div className="sa-actions">
        {/* Not in the status: a screen reader would read each new time. */}
        {retryAt !== null && retryAt - Date.now() > LONG_WAIT_MS && (
          <span className="sa-next-try">{labels.nextTry(new Date(retryAt))}</span>
        )}
        <Button onClick={form.undo}>{labels.stopTrying}</Button>
        <Button onClick={form.retry}>{labels.tryNow}</Button>
      </div>
    )
  return (
    <div className="sa-actions">
      <Countdown key={sendsAt} endsAt={sendsAt} />
      <Button onClick={form.undo} aria-keyshortcuts="Escape">
        {labels.undo}{' '}
        {form.focused && (
          <span className="sa-key" aria-hidden="true">
            ({labels.shortcuts.undo[0]})
          </span>
        )}
      </Button>
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
