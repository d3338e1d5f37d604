import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Questions that wait, as a runner left them. */
export async function askMany(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (let n = 0; n < count; n++) {
    const record = {
      version: 1,
      toolCallId: `toolu_${n}`,
      toolName: 'AskUserQuestion',
      kind: 'question',
      questions: [{ id: 'q1', question: 'Which language?', options: [{ label: 'A' }, { label: 'B' }] }],
      askedAt: new Date(Date.UTC(2026, 0, 1) + n).toISOString(),
      timeoutMs: 'never',
      deadline: null,
      nonce: `nonce of ${n}`,
      runId: 'run-1',
      state: 'open',
    }
    await writeFile(join(folder, `${record.toolCallId}.json`), JSON.stringify(record, null, 2))
  }
}
