import { lazy, type ReactElement, type ReactNode, Suspense } from 'react'
import type { FormPartProps } from '../state/ask-form.ts'

/** Loaded when the form first has the focus. A form works without it. */
const ShortcutList = lazy<(props: FormPartProps) => ReactNode>(() =>
  import('./shortcut-list.tsx').then(
    ({ ShortcutList }) => ({ default: ShortcutList }),
    () => ({ default: () => null }),
  ),
)

/** The keyboard shortcuts that work where the focus is, in one line. The line stays empty while the focus is elsewhere. */
export const Shortcuts = ({ form }: FormPartProps): ReactElement => (
  <p className="sa-shortcuts">
    {form.focused !== null && (
      <Suspense>
        <ShortcutList form={form} />
      </Suspense>
    )}
  </p>
)
