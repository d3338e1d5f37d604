import type { ReactElement } from 'react'

interface BatchBarProps {
  count: number
  onShow: () => void
  onClear: () => void
}

/** How many approvals are selected. */
export const BatchBar = ({ count, onShow, onClear }: BatchBarProps): ReactElement => (
  <p className="batch-bar">
    <span>{count} selected</span>
    {count > 1 && (
      <button type="button" className="plain only-narrow" onClick={onShow}>
        Decide together
      </button>
    )}
    <button type="button" className="plain" onClick={onClear}>
      Clear
    </button>
  </p>
)
