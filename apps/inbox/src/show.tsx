import { type ReactElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

/** Shows a page. */
export function show(page: ReactElement): void {
  const root = document.getElementById('root')
  if (root) createRoot(root).render(<StrictMode>{page}</StrictMode>)
}
