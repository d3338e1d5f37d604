/** What the doctor has found out about one thing. */
export interface Finding extends Verdict {
  about: string
}

export interface Verdict {
  /** `poor`: it works, but could be better. `bad`: it does not work. */
  state: 'good' | 'poor' | 'bad'
  /** In one sentence. */
  text: string
  hint?: string | undefined
  /** What was measured, in the unit that the name ends with. */
  figures?: Readonly<Record<string, number>> | undefined
}

export const good = (text: string, figures?: Verdict['figures']): Verdict => ({
  state: 'good',
  text,
  figures,
})
export const poor = (text: string, hint?: string, figures?: Verdict['figures']): Verdict => ({
  state: 'poor',
  text,
  hint,
  figures,
})
export const bad = (text: string, hint?: string): Verdict => ({ state: 'bad', text, hint })

/**
 * Looks at one thing, and tells what there is to say. What fails is bad.
 *
 * @param hint what to do then
 */
export async function check(
  about: string,
  look: () => Promise<Verdict | null>,
  hint?: string,
): Promise<Finding[]> {
  const failed = (error: unknown): Verdict =>
    bad(error instanceof Error ? error.message : String(error), hint)
  const verdict = await look().catch(failed)
  return verdict ? [{ about, ...verdict }] : []
}
