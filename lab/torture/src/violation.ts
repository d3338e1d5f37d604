/**
 * What a torture must never see.
 *
 * `lost`: an acknowledged answer or a saved draft that is gone, or that a power cut would take. `duplicated`: two final
 * answers, or a settled question that was asked again. `torn`: half a file, or a text that was cut. `stuck`: a question or a
 * person without an end. `misreported`: a person and the agent were told different things, or a question got the answer to
 * another one. `leaks`: what is left at the end.
 */
export type ViolationKind = 'lost' | 'duplicated' | 'torn' | 'stuck' | 'misreported' | 'leaks'

export interface Violation {
  kind: ViolationKind
  what: string
}

export type OnViolation = (kind: ViolationKind, what: string) => void
