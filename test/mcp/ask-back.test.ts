import { declineQuestion, submitAnswer } from '@sandagent/sdk'
import { expect, it } from 'vitest'
import { asked, channelOf, connect, overHttp, tempSandbox } from '../support/mcp.ts'

const call = { name: 'ask_user_question', arguments: { questions: [{ question: 'Which colour?' }] } }

it.each([2025, 2026] as const)(
  'a client of %i reads what the person asks back, and its next call follows',
  async (era) => {
    const sandbox = await tempSandbox()
    const options = { channel: channelOf(sandbox), runId: 'run-1' }
    const client = await connect(await overHttp(options), { era })
    const first = client.callTool(call)
    const { toolCallId, takesQuestions } = await asked(sandbox)
    expect(takesQuestions).toBe(true)
    await declineQuestion(sandbox, { toolCallId, reason: 'What is it for?', asksBack: true })
    expect(await first).toMatchObject({
      isError: true,
      structuredContent: { kind: 'declined' },
      content: [{ text: expect.stringContaining('They ask: "What is it for?". Answer this') }],
    })
    const second = client.callTool(call)
    const again = await asked(sandbox)
    expect(again).toMatchObject({ thread: [{ question: 'What is it for?' }] })
    await submitAnswer(sandbox, { toolCallId: again.toolCallId, answers: { 'Which colour?': 'Blue' } })
    expect(await second).toMatchObject({ structuredContent: { kind: 'answered' } })
  },
)
