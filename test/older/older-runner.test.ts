import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAskSession, isAskUserQuestionPart } from '@sandagent/core/internal'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { askUser } from '@sandagent/runner'
import { createSigningKey, LocalSandbox, parseSigningKeys, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { aiVersions } from '../support/models/ai-versions.ts'
import { messagesOf } from '../support/models/ui-message.ts'

/** What SandAgent's own runner, 0.9.28, printed of a run in which `submitAnswer` answered its two questions. */
const recorded = await readFile(new URL('../fixtures/older-runner.sse', import.meta.url), 'utf8')

const transport = { send: async () => ({}) }

describe.each(Object.entries(aiVersions))(
  'a stream of an older runner as AI SDK %s reads it',
  (_, { ai }) => {
    it('drives a question from its first words to the answer that the agent got', async () => {
      let session: ReturnType<typeof createAskSession> | undefined
      const statuses: string[] = []
      for await (const message of messagesOf(ai, recorded)) {
        const part = message.parts.find((each) => isAskUserQuestionPart(each))
        if (!part || !isAskUserQuestionPart(part)) continue
        session ??= createAskSession(part, () => ({ transport, undoMs: 0 }))
        session.setPart(part)
        statuses.push(session.getSnapshot().status)
      }
      expect([...new Set(statuses)]).toEqual(['streaming', 'waiting', 'received'])
      expect(session?.getSnapshot().responses).toEqual({
        q1: { selected: ['TypeScript'], source: 'human' },
        q2: { selected: ['Tests', 'Yes, always'], source: 'human' },
      })
    })
  },
)

describe('an older runner beside a host that signs', () => {
  const id = 'toolu_1'
  const questions = [
    { question: 'Which language?', options: [{ label: 'TypeScript' }, { label: 'Python' }] },
    { question: 'Which extras?', multiSelect: true, options: [{ label: 'Tests' }, { label: 'Yes, always' }] },
  ]
  const answers = { 'Which language?': 'Python', 'Which extras?': 'Tests, "Yes, always"' }

  /** What such a runner does: it reads the file again and again until it is completed, and takes its four keys. */
  const olderRunner = (workdir: string): Promise<unknown> =>
    vi.waitFor(async () => {
      const file = JSON.parse(await readFile(join(workdir, '.sandagent/approvals', `${id}.json`), 'utf8'))
      expect(file.status).toBe('completed')
      expect(Object.keys(file).slice(0, 4)).toEqual(['questions', 'answers', 'status', 'timestamp'])
      return { questions: file.questions, answers: file.answers }
    })

  it.each([
    'as it has recorded nothing',
    'over the pending file that it made',
    'of a question that was recorded',
  ])('reads the answer, %s', async (kind) => {
    const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation: 'none' })
    const keys = await parseSigningKeys(await createSigningKey())
    if (kind.includes('pending')) {
      const pending = { questions, answers: {}, status: 'pending', timestamp: new Date().toISOString() }
      await sandbox.files.writeAtomic(`.sandagent/approvals/${id}.json`, JSON.stringify(pending))
    }
    const asked = kind.includes('was recorded')
      ? askUser(createFileRunnerChannel({ workdir: sandbox.workdir }), {
          toolCallId: id,
          runId: 'run',
          questions,
        })
      : undefined
    await vi.waitFor(async () => {
      if (asked) expect(await sandbox.files.list('.sandagent/questions')).toContain(`${id}.json`)
    })
    const read = olderRunner(sandbox.workdir)
    await submitAnswer(sandbox, { toolCallId: id, questions, answers }, { signingKeys: keys })
    expect(await read).toEqual({ questions, answers })
    await asked
  })
})
