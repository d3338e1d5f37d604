import { REASON_LIMITS } from '../question/limits.ts'
import type { ApprovalReason } from '../record/approval-reason.ts'

const { reasons, chars } = REASON_LIMITS

/** The reasons that a harness gives, cut to what a record takes. What is missing or empty is left out. */
export function reasonsOf(given: { rule?: Texts; agent?: Texts }): ApprovalReason[] {
  const by = (who: ApprovalReason['by'], texts: Texts = []): ApprovalReason[] =>
    texts.flatMap((text) => (text?.trim() ? [{ by: who, text: cut(text) }] : []))
  return [...by('rule', given.rule), ...by('agent', given.agent)].slice(0, reasons)
}

type Texts = readonly (string | undefined)[]

const CUT = ' … (cut)'

const cut = (text: string): string =>
  text.length > chars ? `${text.slice(0, chars - CUT.length)}${CUT}` : text
