import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const KINDS = {
  question: {
    toolName: 'AskUserQuestion',
    kind: 'question',
    questions: [{ id: 'q1', question: 'Which language?', options: [{ label: 'A' }, { label: 'B' }] }],
  },
  approval: {
    toolName: 'Bash',
    kind: 'approval',
    questions: [
      {
        id: 'permission',
        question: 'Allow this call?',
        options: [
          { label: 'Allow', value: 'allow-once' },
          { label: 'Deny', value: 'deny' },
        ],
      },
    ],
    subject: { toolName: 'Bash', input: { command: 'npm test' } },
  },
}

/** Questions that wait, as a runner left them. */
export async function askMany(
  folder: string,
  count: number,
  kind: 'question' | 'approval' = 'question',
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const unfinished = join(dirname(folder), 'unfinished')
  for (let n = 0; n < count; n++) {
    const record = {
      version: 1,
      toolCallId: `toolu_${n}`,
      ...KINDS[kind],
      askedAt: new Date(Date.UTC(2026, 0, 1) + n).toISOString(),
      timeoutMs: 'never',
      deadline: null,
      nonce: `nonce of ${n}`,
      runId: 'run-1',
      state: 'open',
    }
    await writeFile(unfinished, JSON.stringify(record, null, 2))
    await rename(unfinished, join(folder, `${record.toolCallId}.json`))
  }
}
