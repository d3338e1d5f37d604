/** What the doctor has found out about one thing. */
export interface Finding {
  /** What was looked at. */
  about: string
  /** `poor`: it works, but could be better. `bad`: it does not work. */
  state: 'good' | 'poor' | 'bad'
  /** In one sentence. */
  text: string
  /** What to do about it. */
  hint?: string
  /** What was measured, in the unit that the name ends with. */
  figures?: Readonly<Record<string, number>>
}

/** For `catch`: what failed is bad. */
export const badBecause =
  (about: string, hint?: string) =>
  (error: unknown): Finding => ({
    about,
    state: 'bad',
    text: error instanceof Error ? error.message : String(error),
    ...(hint !== undefined && { hint }),
  })
