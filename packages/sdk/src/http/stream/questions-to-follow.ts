import { AskError, invalid, type QuestionState, type Refusal } from '@sandagent/core/internal'

const MOST_FOLLOWED = 100

/** What a person reads whose page follows a question before it is asked. */
const NOBODY_ASKED = 'Nobody has asked this question yet. It is shown as soon as an agent asks it'

/**
 * Finds which of some questions one stream follows. A refused question does not affect the others.
 *
 * @param admit reads a question for the caller, or throws the `AskError` for what the caller may not see
 * @returns with `opening`, the event that tells a page which questions the stream has, and why it has not the others
 * @throws AskError `INVALID_REQUEST` for too many, and the first refusal if every question is refused
 */
export async function questionsToFollow(
  toolCallIds: readonly string[],
  admit: (toolCallId: string) => Promise<QuestionState>,
): Promise<{ following: string[]; opening: string | undefined }> {
  if (toolCallIds.length > MOST_FOLLOWED)
    throw invalid('INVALID_REQUEST', 'These are too many questions', [
      { path: 'toolCallId', expected: `at most ${MOST_FOLLOWED} for one stream` },
    ])
  const admitted = new Set<string>()
  const refusals = new Map<string, AskError>()
  const check = async (toolCallId: string): Promise<void> => {
    try {
      const state = await admit(toolCallId)
      admitted.add(toolCallId)
      if (!state.record && !state.answerFile)
        refusals.set(toolCallId, new AskError('NOT_FOUND', NOBODY_ASKED))
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      refusals.set(toolCallId, error)
    }
  }
  await Promise.all(toolCallIds.map(check))
  const following = toolCallIds.filter((toolCallId) => admitted.has(toolCallId))
  const refused = toolCallIds.flatMap((toolCallId): Refusal[] => {
    const refusal = refusals.get(toolCallId)
    if (refusal && following.length === 0) throw refusal
    return refusal ? [{ toolCallId, code: refusal.code, message: refusal.message }] : []
  })
  // It tells pages that the host can stream several questions at once, and which ones nobody has asked yet.
  const isNeeded = toolCallIds.length > 1 || refused.length > 0
  const opening = `event: following\ndata: ${JSON.stringify({ following, refused })}\n\n`
  return { following, opening: isNeeded ? opening : undefined }
}
