import type { Asker } from '@sandagent/core'
import type { ReactElement } from 'react'
import type { AskLabels } from '../labels/ask-labels.ts'

/** Names the agent that asks, where it is not the main one. */
export function AskerTag({
  asker,
  labels,
}: {
  asker: Asker | undefined
  labels: Pick<AskLabels, 'subagent'>
}): ReactElement | null {
  return asker ? <bdi className="sa-tag">{labels.subagent(asker.agent)}</bdi> : null
}
