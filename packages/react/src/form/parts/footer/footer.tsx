import type { ReactElement } from 'react'
import type { FormPartProps } from '../../state/ask-form.ts'

interface FooterProps extends FormPartProps {
  /** Whether its buttons take no presses now. */
  isOff: boolean
  /** Whether the person can answer or decline. */
  hasActions: boolean
}

/** The status, and what can be done. */
export function Footer({ form, isOff, hasActions }: FooterProps): ReactElement {
  const { ask, labels, components } = form
  return (
    <div className="sa-footer" data-sending={ask.sendsAt !== null || ask.isSubmitting || undefined}>
      <p className="sa-status" role="status" tabIndex={-1}>
        <components.Status form={form} />
      </p>
      {ask.sendsAt !== null || ask.status === 'retrying' ? (
        // Never disabled: it stops what is on its way.
        <components.SendBar form={form} />
      ) : ask.status === 'voted' ? (
        <div className="sa-actions">
          <components.Button onClick={form.undo}>{labels.change}</components.Button>
        </div>
      ) : (
        hasActions && (
          <fieldset role="presentation" disabled={isOff}>
            <components.Actions form={form} />
          </fieldset>
        )
      )}
    </div>
  )
}
