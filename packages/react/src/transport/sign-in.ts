/** The sign-ins that are under way, by answer API. */
const busy = new Map<string, Promise<boolean>>()

/** Lets the person sign in, and returns whether they did. All requests to the same API wait for one sign-in. */
export function signIn({
  answerEndpoint = '',
  onUnauthorized,
}: {
  answerEndpoint?: string | undefined
  onUnauthorized?: (() => boolean | undefined | Promise<boolean | undefined>) | undefined
}): Promise<boolean> {
  const ask = async (): Promise<boolean> => {
    try {
      return (await onUnauthorized?.()) === true
    } catch (cause) {
      // The person only needs to know that nobody signed in. The fault of the page is reported with its other faults.
      globalThis.reportError?.(cause)
      return false
    } finally {
      busy.delete(answerEndpoint)
    }
  }
  const asking = busy.get(answerEndpoint) ?? ask()
  busy.set(answerEndpoint, asking)
  return asking
}
