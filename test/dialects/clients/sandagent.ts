// Written from SandAgent's document alone: its runner, and the answer that its page sends on every selection.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface SandAgentQuestion {
  question: string
  options?: { label: string }[]
  multiSelect?: boolean
}

/** Polls the approval file until it is completed, and gives the answers by question text. */
export async function waitForAnswerFile(
  workdir: string,
  toolCallId: string,
  pollMs: number,
): Promise<Record<string, string>> {
  const path = join(workdir, '.sandagent/approvals', `${toolCallId}.json`)
  while (true) {
    const text = await readFile(path, 'utf8').catch(() => '{}')
    const { status, answers } = JSON.parse(text)
    if (status === 'completed') return answers
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** Selects one answer after the other, as a person clicks; several of one question are joined by a comma. */
export async function selectAnswers(
  endpoint: string,
  toolCallId: string,
  questions: readonly SandAgentQuestion[],
  picks: readonly (readonly string[])[],
): Promise<void> {
  const answers: Record<string, string> = {}
  for (const [index, { question }] of questions.entries()) {
    answers[question] = (picks[index] ?? []).join(', ')
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ toolCallId, questions, answers }),
    })
    if (!(await response.json()).success) throw new Error('not stored')
  }
}
