import { readFile } from 'node:fs/promises'
import { createAskSession, isAskUserQuestionPart, linkToHost } from '@sandagent/core'
import { describe, expect, it } from 'vitest'
import { aiVersions } from './support/ai-versions.ts'
import { messagesOf } from './support/ui-message.ts'

/** What SandAgent's own runner, 0.9.28, printed of a run in which `submitAnswer` answered its two questions. */
const recorded = await readFile(new URL('./fixtures/older-runner.sse', import.meta.url), 'utf8')

const link = linkToHost({ transport: { send: async () => ({}) } })

describe.each(Object.entries(aiVersions))(
  'a stream of an older runner as AI SDK %s reads it',
  (_, { ai }) => {
    it('drives a question from its first words to the answer that the agent got', async () => {
      let session: ReturnType<typeof createAskSession> | undefined
      const statuses: string[] = []
      for await (const message of messagesOf(ai, recorded)) {
        const part = message.parts.find((each) => isAskUserQuestionPart(each))
        if (!part || !isAskUserQuestionPart(part)) continue
        session ??= createAskSession({ part, link })
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
