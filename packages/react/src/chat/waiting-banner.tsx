import type { ReactElement } from 'react'
import { type Overrides, override } from '../form/state/override.ts'
import { useWaitingQuestions } from '../page/waiting-questions.ts'
import { type ChatLabels, englishChatLabels } from './chat-labels.ts'
import { useOutOfSight } from './use-out-of-sight.ts'

export interface WaitingBannerProps {
  /** Texts in the place of the English ones. */
  labels?: Overrides<ChatLabels> | undefined
  className?: string | undefined
}

/**
 * A button that leads back to a waiting question that is scrolled away. It counts the questions and approvals of the page
 * that are out of sight. It shows nothing while all are in sight.
 */
export function WaitingBanner({ labels, className = '' }: WaitingBannerProps): ReactElement | null {
  const away = useOutOfSight(useWaitingQuestions())
  const [first] = away
  if (!first) return null
  return (
    <button type="button" className={`sa-banner ${className}`} onClick={first.show}>
      {override(englishChatLabels, labels).waits(away.length)}
    </button>
  )
}
