import { useEffect, useState } from 'react'

type EditParts = Pick<typeof import('./input-editor.tsx'), 'InputEditor' | 'InputChanges'>

let loaded: EditParts | undefined

/** The editor and the list of changes, which are loaded when they are first needed. `failed`: they did not come. */
export function useEditParts(isNeeded: boolean): EditParts | 'loading' | 'failed' {
  const [parts, setParts] = useState<EditParts | 'failed' | undefined>(loaded)
  useEffect(() => {
    if (!isNeeded || loaded) return setParts(loaded)
    import('./input-editor.tsx').then(
      ({ InputEditor, InputChanges }) => {
        loaded = { InputEditor, InputChanges }
        setParts(loaded)
      },
      () => setParts('failed'),
    )
  }, [isNeeded])
  return loaded ?? parts ?? 'loading'
}
