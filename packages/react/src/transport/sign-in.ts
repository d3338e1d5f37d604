/** The sign-ins that are under way, by answer API. */
const busy = new Map<string, Promise<boolean>>()

/** How often somebody has signed in, by answer API. */
const signIns = new Map<string, number>()

/** How often somebody has signed in at an answer API since the page was loaded. */
export const signInsAt = (answerEndpoint: string): number => signIns.get(answerEndpoint) ?? 0

/**
 * Lets the person sign in, and returns whether they did. All requests to the same API wait for one sign-in. If somebody has
 * signed in after the request left, it returns `true` at once.
 *
 * @param since what `signInsAt` returned when the request left
 */
export function signIn(
  answerEndpoint: string,
  onUnauthorized: (() => boolean | undefined | Promise<boolean | undefined>) | undefined,
  since: number,
): Promise<boolean> {
  if (signInsAt(answerEndpoint) > since) return Promise.resolve(true)
  const ask = async (): Promise<boolean> => {
    try {
      const isSignedIn = (await onUnauthorized?.()) === true
      if (isSignedIn) signIns.set(answerEndpoint, signInsAt(answerEndpoint) + 1)
      return isSignedIn
    } catch (cause) {
      // The person only needs to know that nobody signed in. The fault of the page is reported with its other faults.
      globalThis.reportError?.(cause)
      return false
    }
  }
  const asking = busy.get(answerEndpoint) ?? ask().finally(() => busy.delete(answerEndpoint))
  busy.set(answerEndpoint, asking)
  return asking
}
