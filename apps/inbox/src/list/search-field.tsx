import type { KeyboardEvent, ReactElement, RefObject } from 'react'

interface SearchFieldProps {
  field: RefObject<HTMLInputElement | null>
  value: string
  onChange: (value: string) => void
  /** Called for Enter. */
  onEnter: () => void
  /** Called for Escape in an empty field, which has lost the focus. */
  onLeave: () => void
}

export function SearchField({ field, value, onChange, onEnter, onLeave }: SearchFieldProps): ReactElement {
  const onKeyDown = ({ key, nativeEvent }: KeyboardEvent): void => {
    if (nativeEvent.isComposing) return
    if (key === 'Enter') onEnter()
    else if (key === 'Escape' && value !== '') onChange('')
    else if (key === 'Escape') {
      field.current?.blur()
      onLeave()
    }
  }
  return (
    <input
      ref={field}
      type="search"
      className="search"
      placeholder="Search"
      aria-label="Search questions"
      aria-keyshortcuts="/"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={onKeyDown}
    />
  )
}
