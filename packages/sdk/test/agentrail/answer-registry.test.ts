import type { OpenRecord } from '@sandagent/core/internal'
import { createFakeClock, createMemoryChannel, openRecord } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { type AnswerRegistryOptions, createAnswerRegistry } from '../../src/agentrail/answer-registry.ts'
import { refusalOf } from '../support/temp-sandbox.ts'

/** A registry of a sandbox in memory, and what is stored there. */
function registering(options: Partial<AnswerRegistryOptions> = {}) {
  const clock = createFakeClock('2026-01-01T01:00:00Z')
  const { runner, host, sandbox } = createMemoryChannel({ clock })
  const registry = createAnswerRegistry({ sandbox, signingKeys: null, clock, ...options })
  const ask = (toolCallId: string, runId = 's1', more: Partial<OpenRecord> = {}) =>
    runner.open(openRecord(toolCallId, { runId, ...more }))
  const answerTo = async (toolCallId: string) => (await host.read(toolCallId)).answerFile
  return { registry, runner, sandbox, ask, answerTo }
}

const LEADS = [{ roles: ['lead'] }]

describe('an answer to a session', () => {
  it('is stored for its one question, with the person and the time', async () => {
    const { registry, ask, answerTo } = registering()
    await ask('a')
    await ask('other', 's2')
    expect(await registry.respond('s1', 'A', { answeredBy: 'ann' })).toBe(true)
    expect(await answerTo('a')).toMatchObject({
      status: 'completed',
      answers: { 'Which language?': 'A' },
      answeredBy: 'ann',
      timestamp: '2026-01-01T01:00:00.000Z',
    })
    expect(await answerTo('other')).toBeUndefined()
  })

  it('has no person unless one is given', async () => {
    const { registry, ask, answerTo } = registering()
    await ask('a')
    await registry.respond('s1', 'A')
    expect(await answerTo('a')).not.toHaveProperty('answeredBy')
  })

  it('finds nothing where nothing waits', async () => {
    const { registry, ask, answerTo } = registering()
    expect(await registry.respond('s1', 'A')).toBe(false)
    await ask('a', 's2')
    expect(await registry.respond('s1', 'A', { toolCallId: 'a' })).toBe(false)
    expect(await registry.respond('s1', 'A', { toolCallId: 'unknown' })).toBe(false)
    expect(await answerTo('a')).toBeUndefined()
  })

  it('names its question where several wait', async () => {
    const { registry, ask, answerTo } = registering()
    await ask('a')
    await ask('b')
    expect(await refusalOf(registry.respond('s1', 'A'))).toMatchObject({ code: 'CONFLICT' })
    expect(await registry.respond('s1', 'B', { toolCallId: 'b' })).toBe(true)
    expect([await answerTo('a'), (await answerTo('b'))?.status]).toEqual([undefined, 'completed'])
    expect(await registry.respond('s1', 'A')).toBe(true)
    expect(await answerTo('a')).toMatchObject({ answers: { 'Which language?': 'A' } })
  })

  it('is refused if another one came first, and its question is named', async () => {
    const { registry, ask } = registering()
    await ask('a')
    await registry.respond('s1', 'A')
    expect(await registry.respond('s1', 'B')).toBe(false)
    expect(await refusalOf(registry.respond('s1', 'B', { toolCallId: 'a' }))).toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('follows the policy', async () => {
    const { registry, ask, answerTo } = registering({ policy: LEADS })
    await ask('a')
    for (const person of [{}, { answeredBy: 'ann' }, { answeredBy: 'ann', roles: ['guest'] }])
      expect(await refusalOf(registry.respond('s1', 'A', person))).toMatchObject({ code: 'NOT_ALLOWED' })
    expect(await answerTo('a')).toBeUndefined()
    expect(await registry.respond('s1', 'A', { answeredBy: 'ann', roles: ['lead'] })).toBe(true)
    expect(await answerTo('a')).toMatchObject({ status: 'completed', answeredBy: 'ann' })
  })
})

describe('a session that is cancelled', () => {
  it('declines all of its questions, and no other one', async () => {
    const { registry, ask, answerTo } = registering()
    for (const toolCallId of ['a', 'b']) await ask(toolCallId)
    await ask('other', 's2')
    expect(await registry.cancel('s1', { answeredBy: 'ann' })).toBe(true)
    for (const toolCallId of ['a', 'b'])
      expect(await answerTo(toolCallId)).toMatchObject({ status: 'declined', answeredBy: 'ann' })
    expect(await answerTo('other')).toBeUndefined()
    expect(await registry.cancel('s1')).toBe(false)
  })

  it('declines only the question that is named', async () => {
    const { registry, ask, answerTo } = registering()
    for (const toolCallId of ['a', 'b']) await ask(toolCallId)
    expect(await registry.cancel('s1', { toolCallId: 'unknown' })).toBe(false)
    expect(await registry.cancel('s1', { toolCallId: 'b' })).toBe(true)
    expect([await answerTo('a'), (await answerTo('b'))?.status]).toEqual([undefined, 'declined'])
  })

  it('follows the policy', async () => {
    const { registry, ask, answerTo } = registering({ policy: LEADS })
    await ask('a')
    expect(await refusalOf(registry.cancel('s1', { answeredBy: 'ann' }))).toMatchObject({
      code: 'NOT_ALLOWED',
    })
    expect(await registry.cancel('s1', { answeredBy: 'ann', roles: ['lead'] })).toBe(true)
    expect(await answerTo('a')).toMatchObject({ status: 'declined' })
  })
})

describe('a registry of answers', () => {
  it('tells whether a question of the session waits', async () => {
    const { registry, ask } = registering()
    await ask('a', 's2')
    await ask('approval', 's1', { kind: 'approval', subject: { toolName: 'Bash', input: {} } } as object)
    expect([await registry.hasPending('s1'), await registry.hasPending('s2')]).toEqual([false, true])
    await registry.respond('s2', 'A')
    expect(await registry.hasPending('s2')).toBe(false)
  })

  it('finds the sandbox of each session by a function', async () => {
    const [one, two] = [registering(), registering()]
    const sandboxFor = vi.fn((sessionId: string) => (sessionId === 's1' ? one.sandbox : two.sandbox))
    const registry = createAnswerRegistry({ sandbox: sandboxFor, signingKeys: null })
    await one.ask('a')
    await two.ask('a', 's2')
    expect(sandboxFor).not.toHaveBeenCalled()
    expect(await registry.respond('s2', 'B')).toBe(true)
    expect(sandboxFor.mock.calls).toEqual([['s2']])
    expect([await one.answerTo('a'), (await two.answerTo('a'))?.status]).toEqual([undefined, 'completed'])
  })

  it('refuses options that do not exist, and what is no policy', () => {
    const { sandbox } = createMemoryChannel()
    const make = (more: object) => () => createAnswerRegistry({ sandbox, ...more })
    for (const more of [
      { onWarning: () => {} },
      { policy: {} },
      { policy: [] },
      { policy: [{ role: 'lead' }] },
    ])
      expect(make(more)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
    const named = { policy: undefined, signingKeys: undefined, clock: undefined }
    expect(make(named)).not.toThrow()
  })
})
