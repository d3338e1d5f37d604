import { approvalIn, approvalQuestion, askUser } from '@sandagent/runner'
import { submitAnswer } from '@sandagent/sdk'
import { expect, it } from 'vitest'
import { createWorkspace } from '../support/workspace.ts'

const subject = { toolName: 'Bash', input: { command: 'npm publish' } }

it.each([
  ['allow-once', undefined, { decision: 'allowOnce' }],
  ['allow-session', undefined, { decision: 'allowSession' }],
  ['deny', ' Use the copy ', { decision: 'deny', note: 'Use the copy' }],
])('an agent of one’s own asks for an approval, and reads %s', async (value, notes, approval) => {
  const { sandbox, channel } = await createWorkspace()
  const outcome = await askUser(
    channel,
    {
      ...{ kind: 'approval', runId: 'run-1', toolCallId: 'call-1', toolName: 'Bash', subject },
      questions: [approvalQuestion('Bash', { sessionScope: 'Every command of npm' })],
    },
    {
      async onAsked() {
        const response = {
          selected: [value],
          source: 'human' as const,
          ...(notes !== undefined && { notes }),
        }
        await submitAnswer(
          sandbox,
          { toolCallId: 'call-1', status: 'completed', responses: { permission: response } },
          { signingKeys: null },
        )
      },
    },
  )
  expect(approvalIn(outcome)).toEqual(approval)
})

it('an approval that nobody answers in time allows nothing', async () => {
  const { channel } = await createWorkspace()
  const outcome = await askUser(
    channel,
    {
      ...{ kind: 'approval', runId: 'run-1', toolCallId: 'call-1', toolName: 'Bash', subject },
      questions: [approvalQuestion('Bash')],
    },
    { timeoutMs: 1, timeoutPolicy: 'defaults' },
  )
  expect(approvalIn(outcome)).toEqual({})
})
