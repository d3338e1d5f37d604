// Written from AgentRail's document alone: a page that listens for events and posts answers.

export interface WaitingEvent {
  type: string
  toolCallId: string
  question: string
  options?: string[]
  multiple?: boolean
  custom?: boolean
}

/** What a person enters: a button, several of them, or words where the event allows them. */
export function promptFor(event: WaitingEvent, wish: readonly string[]): string {
  const offered = event.options ?? []
  const own = wish.filter((text) => !offered.includes(text))
  if (own.length > 0 && offered.length > 0 && !event.custom) throw new Error(`cannot enter ${own}`)
  if (wish.length > 1 && !event.multiple) throw new Error('one answer only')
  return wish.join(', ')
}

/** Posts an answer, as in the document; `toolCallId` is the one addition. */
export async function submitAnswer(
  origin: string,
  sessionId: string,
  answer: string,
  toolCallId: string,
): Promise<void> {
  const response = await fetch(`${origin}/api/sessions/${sessionId}/respond`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'question', answer, toolCallId }),
  })
  if (!response.ok) throw new Error(`status ${response.status}`)
}
