// Why it is so: docs/decisions/0113-a-typed-answer-has-a-kind.md

/** What a typed answer must be. The answer is text, whatever its kind. Of a range it is `FROM/TO`, as in ISO 8601. */
export type TypedAnswer = NumberAnswer | DateAnswer | AddressAnswer

/** A number with a decimal point. */
export interface NumberAnswer {
  kind: 'number'
  /** The bounds are included. */
  min?: number | undefined
  max?: number | undefined
  /** Numbers are `min`, or 0, and whole steps from there. Default: any number. Of a slider and a rating: 1. */
  step?: number | undefined
  /** What is counted, such as `ms`. It is shown beside the number, and is no part of the answer. */
  unit?: string | undefined
  /** A slider, or a choice of up to 11 whole numbers. Both need `min` and `max`. Default: a field. */
  show?: 'slider' | 'rating' | undefined
  /** Whether the answer is two numbers: from and to. */
  range?: boolean | undefined
}

/** A day of the calendar, a time of the clock, or both, as in ISO 8601. */
export interface DateAnswer {
  kind: 'date' | 'time' | 'date-time'
  /** The bounds are included, and are written as the answer is. */
  earliest?: string | undefined
  latest?: string | undefined
  /**
   * Whether a date and time has its offset from UTC, such as `2026-01-31T14:30+01:00`. Default false: it is what a clock shows
   * where the person is.
   */
  zone?: boolean | undefined
  /** Whether the answer is two of them: from and to. Times without limits may pass midnight. */
  range?: boolean | undefined
}

/** An e-mail address, or an absolute URI such as `https://example.com`. */
interface AddressAnswer {
  kind: 'email' | 'uri'
}

/** What a person has typed, as it is sent: a typed answer has no blanks around it, nor around the slash of a range. */
export const bareText = ({ typed }: { typed?: TypedAnswer | undefined }, text: string): string =>
  !typed ? text : 'range' in typed && typed.range ? text.split('/').map(trim).join('/') : text.trim()

const trim = (text: string): string => text.trim()
