import type { ReactElement } from 'react'
import type { FormPartProps } from '../state/ask-form.ts'
import { hasEntries } from '../state/entries.ts'
import { TextArea } from './text-area.tsx'

/** Asks whether to decline, because that cannot be undone. */
export function Decline({ form }: FormPartProps): ReactElement {
  const { ask, labels, components } = form
  const { Button } = components
  return (
    <fieldset className="sa-decline">
      <legend className="sa-legend">{labels.declineTitle(hasEntries(ask))}</legend>
      <TextArea
        aria-label={labels.declineReason}
        placeholder={labels.declineReason}
        value={form.reason}
        onText={form.setReason}
      />
      <div className="sa-actions">
        <Button look="primary" onClick={form.decline}>
          {labels.decline}
        </Button>
        <Button data-safe="" onClick={() => form.setDeclining(false)}>
          {labels.keepAnswering}
        </Button>
      </div>
    </fieldset>
  )
}
