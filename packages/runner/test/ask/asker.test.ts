import { viewOf } from '@sandagent/core/internal'
import { describe, expect, it } from 'vitest'
import { askUser } from '../../src/index.ts'
import { createWorkspace } from '../workspace.ts'

const asker = { agent: 'code-reviewer', parentToolCallId: 'toolu_parent' }
const request = { toolCallId: 'call_1', questions: [{ question: 'Which file?' }], runId: 'run_1' }

/** Puts a question, and stops waiting for it as soon as it is there. */
async function put(given: Parameters<typeof askUser>[1], space = createWorkspace()) {
  const { channel, host } = await space
  const leave = new AbortController()
  await askUser(channel, given, { detachSignal: leave.signal, onAsked: () => leave.abort() })
  return host.read(given.toolCallId)
}

describe('the agent that asks', () => {
  it('is in the record and in what pages get', async () => {
    const state = await put({ ...request, asker })
    expect(state.record).toMatchObject({ asker })
    expect(viewOf(state, Date.now()).asker).toEqual(asker)
  })

  it('is absent where the main agent asks', async () => {
    const state = await put({ ...request, asker: undefined })
    expect(state.record).not.toHaveProperty('asker')
    expect(viewOf(state, Date.now())).not.toHaveProperty('asker')
  })

  it('does not make another question of the same one', async () => {
    const space = createWorkspace()
    const before = await put({ ...request, asker }, space)
    const after = await put(request, space)
    expect(after.record).toEqual(before.record)
  })

  it('is refused where it is no name, before anything is written', async () => {
    const space = createWorkspace()
    await expect(put({ ...request, asker: { agent: ' ' } }, space)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      faults: [{ path: 'asker.agent' }],
    })
    expect((await (await space).host.read('call_1')).record).toBeUndefined()
  })
})
