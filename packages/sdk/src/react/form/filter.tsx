import { optionValue, type QuestionOption } from '@sandagent/core'
import type { ReactElement } from 'react'
import type { Entry } from './entries.ts'
import type { AskLabels } from './labels.ts'

/** What is picked stays in sight, whatever is looked for. */
export const matchesFilter = (option: QuestionOption, filter: string, { selected }: Entry): boolean =>
  selected.includes(optionValue(option)) ||
  `${option.label} ${option.description ?? ''}`
    .toLocaleLowerCase()
    .includes(filter.trim().toLocaleLowerCase())

interface FilterFieldProps {
  labels: AskLabels
  value: string
  onChange: (value: string) => void
  shown: number
  total: number
}

/** Finds an option among many. */
export function FilterField({ labels, value, onChange, shown, total }: FilterFieldProps): ReactElement {
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
      <output>{value.trim() !== '' && labels.filtered(shown, total)}</output>
    </div>
  )
}
