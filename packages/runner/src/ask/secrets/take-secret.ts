import { AskError } from '@sandagent/core/internal'

/**
 * Reads a secret that a person gave: once, as the user of its runner. `Outcome.secrets` has its id.
 *
 * @throws AskError `GONE` for one that was read before or never given here, `CONFLICT` for one that nobody has given yet,
 *   `INVALID_ANSWERS` for one that was sealed for another question.
 */
export const takeSecret = (id: string): Promise<string> => handOverSecret(id, async (text) => text)

/**
 * Hands a secret over: it is used up once `take` resolves. If `take` rejects, the secret stays, and can be read again.
 *
 * @throws AskError as {@link takeSecret}, and what `take` rejects with; `GONE`, with that as its cause, if the secret cannot be
 *   kept then
 */
export async function handOverSecret<T>(id: string, take: (text: string) => Promise<T>): Promise<T> {
  if (!/^[0-9a-f]{16}$/.test(id))
    throw new AskError(
      'INVALID_REQUEST',
      'This is no id of a secret: it has 16 hex digits. Look at the answer',
    )
  const { keepSecret, keptSecret, takeKept } = await import('./secret-files.ts')
  const kept = await keptSecret(id)
  if (kept && !kept.given)
    throw new AskError('CONFLICT', 'Nobody has given this secret yet. Wait for the answer')
  const secret = kept && (await takeKept(id))
  if (!secret?.given)
    throw new AskError(
      'GONE',
      'This secret is not here: it was read before, or another user or machine has asked for it. Ask again',
    )
  const { openSecret } = await import('@sandagent/core/secret')
  const text = await openSecret(secret.given.sealed, secret.privateKey, secret.given.place)
  try {
    return await take(text)
  } catch (error) {
    await keepSecret(id, secret).catch((failure: Error) => {
      throw new AskError(
        'GONE',
        `${(error as Error).message}. The secret could not be kept (${failure.message}), so it is lost: ask again`,
        { cause: error },
      )
    })
    throw error
  }
}
