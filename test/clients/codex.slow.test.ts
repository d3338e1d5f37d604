import { submitAnswer } from '@sandagent/sdk'
import { expect, it, vi } from 'vitest'
import { startClient } from '../support/mcp-clients.ts'
import { describeClient, firstAsked } from './describe-client.ts'

describeClient('codex', /^call_1$/)

it('codex exec, which declines its forms unseen, leaves the question to the folder where that may be chosen', async () => {
  const question = { question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }
  const { api, sandbox } = await startClient('codex', [question], ['--via', 'auto'])
  const { toolCallId } = await firstAsked(sandbox)
  await submitAnswer(sandbox, { toolCallId, answers: { 'Which colour?': 'Blue' } })
  await vi.waitFor(() => expect(api.result()).toContain('The user answered:'))
})
