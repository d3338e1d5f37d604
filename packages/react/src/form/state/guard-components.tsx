import type { ComponentType, ReactElement } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'
import type { Overrides } from './override.ts'

// biome-ignore lint/suspicious/noExplicitAny: parts have different properties
type Part = ComponentType<any>

/** Each replaced part with the form's own part behind it. React keeps the state of components that stay the same. */
const guarded = new WeakMap<Part, WeakMap<Part, Part>>()

/** The form's own parts, with each given part in the place of its own. If a given part throws, its own part comes back. */
export function guardComponents<T extends object>(own: T, given: Overrides<T> = {}): T {
  const result = { ...own } as Record<string, Part>
  for (const [name, part] of Object.entries(given) as [string, Part | undefined][])
    if (part !== undefined) result[name] = guard(part, result[name] as Part)
  return result as T
}

function guard(Given: Part, Own: Part): Part {
  const byOwn = guarded.get(Given) ?? new WeakMap<Part, Part>()
  guarded.set(Given, byOwn)
  const known = byOwn.get(Own)
  if (known) return known
  const Guarded = (props: object): ReactElement => (
    <ErrorBoundary fallback={<Own {...props} />}>
      <Given {...props} />
    </ErrorBoundary>
  )
  byOwn.set(Own, Guarded)
  return Guarded
}
