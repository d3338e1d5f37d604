import type { Asker } from '@sandagent/core'
import { quotedName } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import type { AskLabels } from '../labels/ask-labels.ts'

/** The name of the agent, if a subagent asks. */
export function AskerTag({
  asker,
  labels,
}: {
  asker: Asker | undefined
  labels: Pick<AskLabels, 'subagent'>
}): ReactElement | null {
  return asker ? (
    <bdi className="sa-tag">{labels.subagent(asker.agent && quotedName(asker.agent))}</bdi>
  ) : null
}
