import { useEffect, useState } from 'react'

type EditParts = typeof import('./input-editor.tsx')

let loaded: EditParts | undefined

/** An input as JSON, for a page that cannot show it better. */
export const jsonOf = (input: unknown): string => JSON.stringify(input, null, 2) ?? ''

/** The editor and the list of changes, which are loaded when they are first needed. `failed`: they did not come. */
export function useEditParts(isNeeded: boolean): EditParts | 'loading' | 'failed' {
  const [parts, setParts] = useState<EditParts | 'failed' | undefined>(loaded)
  useEffect(() => {
    if (!isNeeded || loaded) return setParts(loaded)
    import('./input-editor.tsx').then(
      (found) => {
        loaded = found
        setParts(found)
      },
      () => setParts('failed'),
    )
  }, [isNeeded])
  return loaded ?? parts ?? 'loading'
}
