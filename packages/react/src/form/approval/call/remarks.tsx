import { type ApprovalReason, risksIn, visible } from '@sandagent/core/internal'
import type { ReactElement, ReactNode } from 'react'
import type { ShownCall } from '../approval-form.ts'
import { withCode } from '../with-code.tsx'

/** What to look at in a call. */
export function Risks({ form: { subject, labels } }: { form: ShownCall }): ReactElement | null {
  const risks = risksIn(subject)
  if (risks.length === 0) return null
  return (
    <ul className="sa-risks" aria-label={labels.risks}>
      {risks.map((risk) => (
        <li key={risk.id}>{labels.risk(risk)}</li>
      ))}
    </ul>
  )
}

/**
 * Why it is asked, first what the rules say. The agent's own words stand behind its bar: no text of an agent looks like one
 * of a rule.
 */
export function Reasons({ form }: { form: ShownCall }): ReactElement {
  const { subject, labels, ownQuestion, asksAgain } = form
  const said = (by: ApprovalReason['by']): string[] =>
    (subject.reasons ?? []).filter((reason) => reason.by === by).map(({ text }) => visible(text))
  const again = asksAgain === undefined ? [] : [withCode(asksAgain)]
  const own = ownQuestion === undefined ? [] : [visible(ownQuestion)]
  return (
    <>
      <Texts caption={labels.becauseOf} texts={[...said('rule'), ...again]} />
      <Texts caption={labels.agentSays} texts={[...own, ...said('agent')]} className="sa-given" />
    </>
  )
}

interface TextsProps {
  caption: string
  texts: readonly ReactNode[]
  className?: string
}

function Texts({ caption, texts, className }: TextsProps): ReactElement | null {
  if (texts.length === 0) return null
  return (
    <figure className={className}>
      <figcaption className="sa-hint">{caption}</figcaption>
      {texts.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a reason is its position
        <p key={index} className="sa-reason" dir="auto">
          {text}
        </p>
      ))}
    </figure>
  )
}
