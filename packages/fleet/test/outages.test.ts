import { AskError, type QuestionState } from '@sandagent/core'
import { createHostChannel, createRunnerChannel, type QuestionStore } from '@sandagent/core/store'
import { createMemoryFleet } from '@sandagent/fleet'
import { answerFileFor, openRecord } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'

/** A store that can be out of reach. */
function breakable(): { store: QuestionStore; isOut: boolean } {
  const questions = createMemoryFleet().questions('one')
  const control = {
    isOut: false,
    store: {
      read: async (ids) => reached(() => questions.read(ids)),
      writeRecord: async (...args) => reached(() => questions.writeRecord(...args)),
      writeAnswer: async (...args) => reached(() => questions.writeAnswer(...args)),
      list: async (options) => reached(() => questions.list(options)),
      subscribe: (...args) => questions.subscribe(...args),
    } satisfies QuestionStore as QuestionStore,
  }
  const reached = <T>(call: () => T): T => {
    if (control.isOut) throw new AskError('UNREACHABLE', 'The store is out of reach')
    return call()
  }
  return control
}

describe('while a store is out of reach', () => {
  it('a runner that closed its question has the answer that was acknowledged before', async () => {
    const control = breakable()
    const runner = createRunnerChannel(control.store)
    await runner.open(openRecord('t1'))
    const answer = answerFileFor('t1', { status: 'completed' })
    await createHostChannel(control.store).write(answer, { expectedRevision: 0 })
    await runner.close('t1', 'timed-out')
    control.isOut = true
    expect(await runner.read('t1')).toMatchObject({ status: 'completed' })
    await expect(runner.read('t2')).rejects.toMatchObject({ code: 'UNREACHABLE' })
  })

  it('a subscription goes on where nobody can tell whether the run has ended', async () => {
    const { store } = breakable()
    let isOut = true
    const host = createHostChannel(store, {
      async hasRunEnded() {
        if (isOut) throw new AskError('UNREACHABLE', 'The store is out of reach')
        return false
      },
    })
    await createRunnerChannel(store).open(openRecord('t1'))
    const stop = new AbortController()
    const states: QuestionState[] = []
    const follow = async (): Promise<void> => {
      for await (const state of host.subscribe(stop.signal)) states.push(state)
    }
    const following = follow()
    await createRunnerChannel(store).open(openRecord('t2'))
    isOut = false
    await vi.waitFor(() => expect(states.map(({ toolCallId }) => toolCallId).sort()).toEqual(['t1', 't2']))
    stop.abort()
    await following
  })
})
