import { AskError, type AskErrorCode, invalid } from '@sandagent/core/internal'

/** The most questions that one stream follows. */
const MOST_FOLLOWED = 100

/**
 * Checks each question on its own. So a refused question does not affect the others.
 *
 * @throws AskError the first error of `check` when every question is refused, `INVALID_REQUEST` for too many questions
 */
export async function authorizeMany(
  toolCallIds: readonly string[],
  check: (toolCallId: string) => Promise<void>,
): Promise<{ following: string[]; refused: { toolCallId: string; code: AskErrorCode }[] }> {
  if (toolCallIds.length > MOST_FOLLOWED)
    throw invalid('INVALID_REQUEST', 'These are too many questions', [
      { path: 'toolCallId', expected: `at most ${MOST_FOLLOWED} for one stream` },
    ])
  const verdicts = await Promise.all(
    toolCallIds.map(async (toolCallId) => ({ toolCallId, refusal: await refusalOf(check(toolCallId)) })),
  )
  const following = verdicts.flatMap(({ toolCallId, refusal }) => (refusal ? [] : [toolCallId]))
  const refused = verdicts.flatMap(({ toolCallId, refusal }) => (refusal ? [{ toolCallId, refusal }] : []))
  if (following.length === 0 && refused[0]) throw refused[0].refusal
  return {
    following,
    refused: refused.map(({ toolCallId, refusal }) => ({ toolCallId, code: refusal.code })),
  }
}

async function refusalOf(check: Promise<void>): Promise<AskError | null> {
  try {
    await check
    return null
  } catch (error) {
    if (error instanceof AskError) return error
    throw error
  }
}
