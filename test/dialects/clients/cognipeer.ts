// Written from Cognipeer's document alone: an application that renders what is pending, and reads the tool message.

interface Pending {
  id: string
  status: string
  allowFreeText: boolean
  questions: { question: string; options?: { label: string; value?: string }[]; multiSelect?: boolean }[]
}

export interface AgentState {
  pendingUserQuestions?: Pending[]
  messages?: unknown[]
}

/** The answers to the first entry that is pending, as a form collects them: labels by question text. */
export function collect(state: AgentState, wishes: Readonly<Record<string, readonly string[]>>) {
  const pending = state.pendingUserQuestions?.find(({ status }) => status === 'pending')
  if (!pending) throw new Error('nothing is pending')
  const answers = pending.questions.map(({ question, options = [] }) => {
    const wish = wishes[question] ?? []
    const picked = options.filter(({ label }) => wish.includes(label))
    const typed = wish.filter((text) => !options.some(({ label }) => label === text)).join(', ')
    const values = picked.map(({ label, value = label }) => value)
    return [question, { values, ...(typed && pending.allowFreeText && { freeText: typed }) }]
  })
  return { id: pending.id, answeredBy: 'alex@team', answers: Object.fromEntries(answers) }
}

/** What the model reads next. */
export function lastToolMessage(state: AgentState): { tool_call_id: string; content: unknown } {
  const message = state.messages?.at(-1) as { role: string; tool_call_id: string; content: string }
  if (message?.role !== 'tool') throw new Error('no tool message')
  return { tool_call_id: message.tool_call_id, content: JSON.parse(message.content) }
}
