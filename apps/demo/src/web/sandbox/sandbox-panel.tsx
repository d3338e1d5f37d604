import type { ReactElement } from 'react'
import { FilesView } from './files-view.tsx'
import { Inspector } from './inspector.tsx'
import { IsolationView } from './isolation-view.tsx'

interface SandboxPanelProps {
  /** The questions of this chat, in order. */
  toolCallIds: readonly string[]
  isRunning: boolean
}

/** Shows the sandbox beside the chat. */
export function SandboxPanel({ toolCallIds, isRunning }: SandboxPanelProps): ReactElement {
  return (
    <section className="sandbox" aria-label="Sandbox">
      <Inspector toolCallIds={toolCallIds} isRunning={isRunning} />
      <FilesView isRunning={isRunning} />
      <IsolationView />
    </section>
  )
}
