import type { AskSession } from '@sandagent/core/internal'

/** What was typed for the secrets of a form, by question id. It is nowhere else until it is encrypted. */
export type TypedSecrets = Map<string, string>

/**
 * Encrypts a secret as it is typed now, and enters it. What was encrypted before does not count meanwhile.
 *
 * @returns what keeps it from being encrypted; `null` once it is entered, or something else is typed
 */
export async function giveSecret(
  session: AskSession,
  questionId: string,
  text: string,
  isCurrent: () => boolean = () => true,
): Promise<string | null> {
  const { view, questions, toolCallId } = session.getSnapshot()
  const secret = questions.find(({ id }) => id === questionId)?.secret
  session.enter(questionId, { sealed: undefined })
  if (text === '') return null
  if (typeof secret !== 'object' || view?.questionDigest === undefined)
    return 'The agent has given no key for this secret: ask it to ask again.'
  const { questionDigest } = view
  try {
    const { sealSecret } = await import('@sandagent/core/secret')
    const sealed = await sealSecret(text, secret.publicKey, { toolCallId, questionId, questionDigest })
    if (isCurrent()) session.enter(questionId, { sealed })
    return null
  } catch (error) {
    return (error as Error).message
  }
}
