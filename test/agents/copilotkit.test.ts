import { CopilotKitCore } from '@copilotkit/core'
import { HttpAgent } from 'ag-ui-client-0'
import { expect, it } from 'vitest'
import { askingProgram, startHost } from '../support/ag-ui/host.ts'

it('CopilotKit asks what an agent here asks, and gives it the answer', async () => {
  const options = [{ label: 'Paris, north' }, { label: 'Rome' }]
  const host = await startHost(askingProgram({ questions: [{ question: 'Where to?', options }] }))
  const headers = { 'x-user': 'ada' }
  const agent = new HttpAgent({ url: `${host.origin}/api/ag-ui`, threadId: 't', agentId: 'default', headers })
  const core = new CopilotKitCore({ agents__unsafe_dev_only: { default: agent }, headers })
  const errors: unknown[] = []
  core.subscribe({ onError: ({ error }) => void errors.push(error) })
  agent.addMessage({ id: 'user-1', role: 'user', content: 'Begin' })
  await core.runAgent({ agent })
  const [interrupt] = agent.pendingInterrupts
  expect(interrupt).toMatchObject({ reason: 'input_required', message: 'Where to?' })
  const interruptId = interrupt?.id as string
  const resume = [{ interruptId, status: 'resolved' as const, payload: { question_1: 'Paris, north' } }]
  const { newMessages } = await core.runAgent({ agent, resume })
  expect(JSON.stringify(newMessages)).toContain('Paris, north')
  expect(agent.pendingInterrupts).toEqual([])
  expect(errors).toEqual([])
})
