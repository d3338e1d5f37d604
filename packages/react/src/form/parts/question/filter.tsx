import type { ReactElement } from 'react'
import type { FilterProps } from '../../state/ask-form.ts'

/** Finds an option among many. */
export function Filter({ form, value, onChange, found, total }: FilterProps): ReactElement {
  const { labels } = form
  return (
    <div className="sa-filter">
      <input
        type="search"
        className="sa-input"
        aria-label={labels.filter}
        placeholder={labels.filter}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return
          event.stopPropagation()
          event.preventDefault()
          onChange('')
        }}
      />
      <output>{value.trim() !== '' && labels.filtered(found, total)}</output>
    </div>
  )
}
