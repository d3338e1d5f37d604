import { createFakeClock } from '@sandagent/core/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createClaudeQuestions } from '../../../src/agents/claude/questions.ts'
import { createWorkspace, picked, type Workspace } from '../../workspace.ts'

const question = { question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }
const request = (toolCallId: string) => ({ toolCallId, runId: 'run_1', questions: [question] })

let space: Workspace
beforeEach(async () => {
  space = await createWorkspace()
})

describe('a question that is asked for a while', () => {
  const clock = createFakeClock()
  const start = () => createClaudeQuestions({ channel: space.channel, clock })
  const open = (toolCallId: string) =>
    vi.waitFor(async () => expect(await space.record(toolCallId)).toMatchObject({ state: 'open' }))

  it('stays open afterwards, for a later call to adopt', async () => {
    const questions = start()
    const first = questions.askFor(1000, request('a'))
    await open('a')
    clock.advance(1000)
    expect(await first).toBeNull()
    const again = questions.ask(request('a'))
    await space.respond('a', { q1: picked('B') })
    expect(await again).toMatchObject({ kind: 'answered' })
    await questions.settled()
  })

  it('is asked on while another waits, if it is to be left alone only', async () => {
    const questions = start()
    const first = questions.askFor(1000, request('a'), { alone: true })
    const second = questions.askFor(1000, request('b'), { alone: true })
    await Promise.all([open('a'), open('b')])
    clock.advance(1000)
    await space.respond('a', { q1: picked('B') })
    expect(await first).toMatchObject({ kind: 'answered' })
    expect(await second).toBeNull()
    expect(await space.record('b')).toMatchObject({ state: 'open' })
    await questions.settled()
    expect(clock.pending()).toBe(0)
  })
})
