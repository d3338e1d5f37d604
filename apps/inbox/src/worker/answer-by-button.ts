import type { PushAnswer } from '@sandagent/notices/web-push'

const WORDS: Readonly<Record<string, string>> = {
  LINK_USED: 'This question has its answer already',
  LINK_EXPIRED: 'This notice is too old to answer',
  CHANGED: 'The question has changed. Open it',
}

/** Sends an answer with the token of the notice. Resolves to what the person is told. */
export async function answerByButton(
  toolCallId: string,
  { link, questionId, questionDigest, choices: _ }: PushAnswer,
  { value, label }: PushAnswer['choices'][number],
): Promise<string> {
  const known = new URLSearchParams(link)
  const responses = { [questionId]: { selected: [value] } }
  try {
    const response = await fetch(
      `/api/inbox/answer?sandbox=${encodeURIComponent(known.get('sandbox') ?? '')}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${known.get('token')}` },
        body: JSON.stringify({ toolCallId, status: 'completed', questionDigest, responses }),
      },
    )
    const { error, missingVotes } = await response.json()
    if (response.ok) return missingVotes === undefined ? `Answered: ${label}` : `Your vote: ${label}`
    return WORDS[error.code] ?? `Not answered: ${error.message}`
  } catch {
    return 'Not answered: the inbox cannot be reached. Open the question'
  }
}
