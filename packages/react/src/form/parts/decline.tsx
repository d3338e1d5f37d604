import type { ReactElement } from 'react'
import type { FormPartProps } from '../state/ask-form.ts'
import { hasEntries } from '../state/entries.ts'
import { TextArea } from './text-area.tsx'

/** Asks whether to decline, because that cannot be undone. */
export function Decline({ form }: FormPartProps): ReactElement {
  const { ask, labels } = form
  return (
    <fieldset className="sa-decline">
      <legend className="sa-legend">{labels.declineTitle(hasEntries(ask))}</legend>
      <TextArea
        aria-label={labels.declineReason}
        placeholder={labels.declineReason}
        value={form.reason}
        onChange={({ target }) => form.setReason(target.value)}
      />
    </fieldset>
  )
}
