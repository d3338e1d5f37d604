import type { ReactElement } from 'react'
import type { LastingChat } from '../history/use-lasting-chat.ts'

/** How the last run ended, and buttons to go on. It stays visible while the page scrolls. */
export function Ending({ lasting }: { lasting: LastingChat }): ReactElement | null {
  const { chat, isCutOff, lastTurn, restart } = lasting
  if (isCutOff)
    return <p className="ending working">The connection is lost, the agent goes on. Looking for it</p>
  if (lastTurn?.state === 'stopped') return <p className="ending quiet">You stopped the agent</p>
  if (lastTurn?.state === 'crashed')
    return (
      <p className="ending failure" role="alert">
        The agent ended before it was done.{' '}
        <button type="button" className="plain" onClick={restart}>
          Start it again
        </button>
      </p>
    )
  const reason = lastTurn?.state === 'failed' ? lastTurn.reason : chat.error?.message
  if (reason === undefined) return null
  return (
    <p className="ending failure" role="alert">
      The agent failed: {reason}
    </p>
  )
}
