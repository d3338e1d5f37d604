import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { AskError, type HostChannel } from '@sandagent/core/internal'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createFakeClock, openRecord } from '../../src/index.ts'
import { createMemoryChannel } from '../../src/memory-channel.ts'
import type { Act } from '../../src/people/act.ts'
import { declines, inOrder, after as later, leavesDraft, neverAnswers } from '../../src/people/acts.ts'
import { startPerson } from '../../src/people/start-person.ts'

/** A channel in memory. `ask` records a question at this time, by default that of the clock. */
function place() {
  const clock = createFakeClock('2026-01-01T00:00:00.000Z')
  const channel = createMemoryChannel({ clock })
  const open = (toolCallId: string, askedAt = new Date(clock.now()).toISOString()) =>
    channel.runner.open(openRecord(toolCallId, { askedAt }))
  return { ...channel, clock, open }
}

/** An act that notes its calls. */
const noting = (seen: string[]): Act => {
  return async ({ record }) => void seen.push(record.toolCallId)
}

describe('a person who waits', () => {
  it.each([
    ['from when the question was asked', '2026-01-01T00:00:01.000Z', [0, 3000]],
    ['from their own beginning, for an older question', '2025-12-31T00:00:00.000Z', [0, 2000]],
    ['from now, for a question of another clock', '2026-01-02T00:00:00.000Z', [1000, 3000]],
  ])('waits %s', async (_, askedAt, waits) => {
    const { host, clock, open } = place()
    const begin = vi.fn(clock.after)
    const act = inOrder(later(1000, neverAnswers()), later(3000, declines()))
    const person = startPerson(host, [act], { clock: { ...clock, after: begin } })
    clock.advance(2000)
    await open('q', askedAt)
    for (const ms of waits) {
      await clock.whenPending()
      expect(begin.mock.lastCall?.[0]).toBe(ms)
      clock.advance(ms)
    }
    expect(await person.done).toMatchObject([{ stored: { status: 'declined' } }])
  })

  it('sends nothing after they were stopped, however they go on', async () => {
    const { host, clock, open } = place()
    const ends: unknown[] = []
    const act: Act = async ({ wait, send }) => {
      for (const step of [() => wait(1000), () => wait(0), () => send({ status: 'declined' })])
        await step().catch((error: Error) => ends.push(error.name))
      throw new Error('This comes too late to matter')
    }
    const person = startPerson(host, [act], { clock })
    await open('q')
    await clock.whenPending()
    await person.stop()
    expect(ends).toEqual(['AbortError', 'AbortError', 'AbortError'])
    expect(clock.pending()).toBe(0)
    expect((await host.read('q')).answerFile).toBeUndefined()
    expect(await person.done).toEqual([])
  })
})

describe('the calls of a person', () => {
  it('are those that wait for an answer, each once, while drafts of it change', async () => {
    const { runner, host, open } = place()
    for (const id of ['answered', 'settled', 'closing']) await open(id)
    await startPerson(host, [declines()]).done
    await runner.settle('settled', {
      state: 'timed-out',
      settledAt: '2026-01-01T00:00:00.000Z',
      responses: {},
    })
    await runner.close('closing', 'timed-out')
    const left = (await host.questions()).filter(({ state }) => state === 'open')
    expect(left).toHaveLength(1)

    const seen: string[] = []
    const person = startPerson(host, inOrder(noting(seen), leavesDraft({ 'Which?': 'half' })))
    onTestFinished(() => person.stop())
    await open('one')
    await vi.waitFor(() => expect(seen).toHaveLength(1))
    await vi.waitFor(async () => expect((await host.read('one')).answerFile).toMatchObject({ revision: 1 }))
    await open('two')
    await vi.waitFor(async () => expect((await host.read('two')).answerFile).toMatchObject({ revision: 1 }))
    expect(seen).toEqual(['one', 'two'])
  })

  it('include a question with a draft', async () => {
    const { host, open } = place()
    await open('q')
    await startPerson(host, [leavesDraft({ 'Which?': 'half' })]).done
    await startPerson(host, [declines()]).done
    expect((await host.read('q')).answerFile).toMatchObject({ status: 'declined', revision: 2 })
  })

  it('are no longer followed once every act has begun', async () => {
    const { host, open } = place()
    const hasEnded = vi.fn()
    const subscribe: HostChannel['subscribe'] = async function* (...given) {
      try {
        yield* host.subscribe(...given)
      } finally {
        hasEnded()
      }
    }
    await open('q')
    const { done } = startPerson({ ...host, subscribe }, [declines()])
    expect(await done).toEqual([{ toolCallId: 'q', stored: { status: 'declined', revision: 1 } }])
    expect(hasEnded).toHaveBeenCalledOnce()
  })
})

describe('a person who fails', () => {
  const failure = new Error('no luck')

  it('fails while they still wait for other calls, whoever looks at it, and whenever', async () => {
    const { host, open } = place()
    const person = startPerson(host, [() => Promise.reject(failure), declines()])
    await open('q')
    await expect(person.done).rejects.toBe(failure)
    await turn()
    await expect(person.stop()).rejects.toBe(failure)
    const other = startPerson(host, [() => Promise.reject(failure)])
    for (let turns = 0; turns < 10; turns++) await turn()
    await expect(other.done).rejects.toBe(failure)
  })

  it('notes what the host refuses, and no other failures', async () => {
    const { host, open } = place()
    const read = vi.fn(host.read).mockRejectedValueOnce(failure)
    await open('q')
    const twice: Act = async ({ send }) => {
      await send({ status: 'declined' }).catch(() => {})
      await send({ status: 'wrong' as never }).catch(() => {})
      const stored = await send({ status: 'declined', reason: 'Too early' })
      expect(stored).toEqual({ status: 'declined', revision: 1 })
    }
    const replies = await startPerson({ ...host, read }, [twice]).done
    expect(replies).toEqual([
      { toolCallId: 'q', refused: expect.objectContaining({ code: 'INVALID_REQUEST' }) },
      { toolCallId: 'q', stored: { status: 'declined', revision: 1 } },
    ])
    expect(replies[0]?.refused).toBeInstanceOf(AskError)
  })
})

it.each(['a channel', 'a sandbox'])(
  'what a person says in %s has their name and their time',
  async (where) => {
    const { host, clock, open } = place()
    const workdir = await tempDir()
    const sandbox = new LocalSandbox({ workdir, isolation: 'none' })
    const given = where === 'a channel' ? host : sandbox
    await (where === 'a channel' ? open('q') : createFileRunnerChannel({ workdir }).open(openRecord('q')))
    clock.advance(7000)
    await startPerson(given, [declines('Too early')], { clock, answeredBy: 'ada' }).done
    const stored =
      where === 'a channel'
        ? (await host.read('q')).answerFile
        : JSON.parse(await readFile(join(workdir, '.sandagent/approvals/q.json'), 'utf8'))
    const timestamp = '2026-01-01T00:00:07.000Z'
    expect(stored).toMatchObject({ status: 'declined', answeredBy: 'ada', timestamp })
  },
)
