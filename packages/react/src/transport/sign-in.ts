/** Somebody who is signing in, by answer API. */
const busy = new Map<string, Promise<boolean>>()

/** Lets the person sign in, and tells whether they did. Everything that waits for the same API waits for one sign-in. */
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
      // Nobody signed in, which is what the person has to know. The page's own fault is told where it tells its others.
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
