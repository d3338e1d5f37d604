import type { ReactElement } from 'react'
import type { FormPartProps } from '../state/ask-form.ts'
import { onDemand } from '../state/on-demand.tsx'

/** Loaded when the form first has the focus. */
const ShortcutList = onDemand<FormPartProps>(() =>
  import('./shortcut-list.tsx').then(({ ShortcutList }) => ShortcutList),
)

/** The keyboard shortcuts that work where the focus is, in one line. The line stays empty while the focus is elsewhere. */
export const Shortcuts = ({ form }: FormPartProps): ReactElement => (
  <p className="sa-shortcuts">{form.focused !== null && <ShortcutList form={form} />}</p>
)
