import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Questions that ended as their runner, and answers as their host, left them. */
export async function settleMany(workdir: string, count: number): Promise<void> {
  const [asked, answered] = ['questions', 'approvals'].map((name) => join(workdir, '.sandagent', name))
  for (const folder of [asked, answered]) await mkdir(folder as string, { recursive: true })
  const questions = [{ id: 'q1', question: 'Which language?', options: [{ label: 'A' }, { label: 'B' }] }]
  const responses = { q1: { selected: ['A'], source: 'human' } }
  const time = '2026-01-01T00:00:00.000Z'
  for (let n = 0; n < count; n++) {
    const toolCallId = `toolu_${n}`
    const record = {
      version: 1,
      toolCallId,
      toolName: 'AskUserQuestion',
      kind: 'question',
      questions,
      askedAt: time,
      timeoutMs: 'never',
      deadline: null,
      nonce: `nonce of ${toolCallId}`,
      runId: 'run-1',
      state: 'answered',
      settledAt: time,
      responses,
      revision: 1,
    }
    const answer = {
      questions,
      answers: { 'Which language?': 'A' },
      status: 'completed',
      timestamp: time,
      version: 1,
      toolCallId,
      nonce: record.nonce,
      revision: 1,
      responses,
    }
    await writeFile(join(asked as string, `${toolCallId}.json`), JSON.stringify(record, null, 2))
    for (const name of [`${toolCallId}.json`, `.${toolCallId}.final`])
      await writeFile(join(answered as string, name), JSON.stringify(answer, null, 2))
  }
}
