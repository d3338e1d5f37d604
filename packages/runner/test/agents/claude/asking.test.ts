import { fakeClock } from '@sandagent/fixtures/fake-clock.ts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createAsking } from '../../../src/agents/claude/asking.ts'
import { createWorkspace, picked, type Workspace } from '../../workspace.ts'

const question = { question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }
const request = (toolCallId: string) => ({ toolCallId, runId: 'run_1', questions: [question] })

let space: Workspace
beforeEach(async () => {
  space = await createWorkspace()
})

describe('a question that is asked for a while', () => {
  const clock = fakeClock()
  const start = () => createAsking({ channel: space.channel, clock })
  const open = (toolCallId: string) =>
    vi.waitFor(async () => expect(await space.record(toolCallId)).toMatchObject({ state: 'open' }))

  it('stays open afterwards, for a later asking to adopt', async () => {
    const asking = start()
    const first = asking.askFor(1000, request('a'))
    await open('a')
    clock.advance(1000)
    expect(await first).toBeNull()
    const again = asking.ask(request('a'))
    await space.respond('a', { q1: picked('B') })
    expect(await again).toMatchObject({ kind: 'answered' })
    await asking.settled()
  })

  it('is asked on while another waits, if it is to be left alone only', async () => {
    const asking = start()
    const first = asking.askFor(1000, request('a'), { alone: true })
    const second = asking.askFor(1000, request('b'), { alone: true })
    await Promise.all([open('a'), open('b')])
    clock.advance(1000)
    await space.respond('a', { q1: picked('B') })
    expect(await first).toMatchObject({ kind: 'answered' })
    expect(await second).toBeNull()
    expect(await space.record('b')).toMatchObject({ state: 'open' })
    await asking.settled()
    expect(clock.pending()).toBe(0)
  })
})
