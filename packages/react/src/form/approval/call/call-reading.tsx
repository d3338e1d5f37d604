import { visible } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import { onDemand } from '../../state/on-demand.tsx'
import type { ShownCall } from '../approval-form.ts'
import { Difference } from './difference.tsx'
import type { PlanProps } from './plan.tsx'
import { Reasons, Risks } from './remarks.tsx'
import { InputRows, Row, Value } from './tool-input.tsx'

/**
 * What a person permits: what happens, in full, why, and all that the call says besides. What the agent wrote stands in
 * groups of its own.
 */
export function CallReading({ form }: { form: ShownCall }): ReactElement {
  const { reading, headingId, subject, labels } = form
  return (
    <>
      <p className="sa-legend" id={headingId} tabIndex={-1}>
        {labels.heading(reading)}
      </p>
      {/* Above the call: the end of a long one is out of sight. */}
      <Risks form={form} />
      <Main form={form} />
      <Reasons form={form} />
      <dl className="sa-call">
        <Row name={labels.tool} value={subject.toolName} />
      </dl>
      {reading.rest !== undefined && (
        <figure className="sa-given">
          <figcaption className="sa-hint">{labels.input}</figcaption>
          <InputRows input={reading.rest} />
        </figure>
      )}
    </>
  )
}

const Whole = ({ text }: { text: string }): ReactElement => (
  <div className="sa-given sa-call sa-main">
    <Value value={text} />
  </div>
)

/** All of a plan is there before its renderer is. */
const Plan = onDemand<PlanProps>(
  () => import('./plan.tsx').then(({ Plan }) => Plan),
  ({ text }) => <Whole text={text} />,
)

/** What happens, in full. */
function Main({ form }: { form: ShownCall }): ReactElement | null {
  const { reading } = form
  switch (reading.kind) {
    case 'command':
      return <Whole text={reading.command} />
    case 'fetch':
      return <Whole text={reading.url} />
    case 'plan':
      return <Plan form={form} text={reading.plan} />
    case 'edit':
      return (
        <div className="sa-given sa-call sa-main">
          <p className="sa-hint" dir="ltr">
            {visible(reading.path)}
          </p>
          {reading.edits.map((edit, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an edit is its position
            <Difference key={index} edit={edit} />
          ))}
        </div>
      )
    default:
      return null
  }
}
