import { AskError, type HostChannel, type QuestionState } from '@sandagent/core'
import { sandboxOf } from '@sandagent/fixtures/channel-store.ts'
import { answerFileFor, createFakeClock, openRecord, receiptOf } from '@sandagent/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lookAround } from '../src/create-inbox.ts'
import type { InboxSandbox, InboxSandboxes } from '../src/inbox-sandbox.ts'
import type { LookAround } from '../src/list-inbox.ts'
import { type InboxChange, watchSandboxes } from '../src/watch-inbox.ts'

/** Lets everything go on that waits for nothing else. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A sandbox whose questions are what the test says. */
function scripted(id: string) {
  const subscriptions: { signal: AbortSignal; push(state: QuestionState | Error | null): void }[] = []
  const reads: string[] = []
  let reply = async (toolCallId: string): Promise<QuestionState> => ({ toolCallId })
  const channel = {
    read(toolCallId: string) {
      reads.push(toolCallId)
      return reply(toolCallId)
    },
    async *subscribe(signal: AbortSignal) {
      const states: (QuestionState | Error | null)[] = []
      let wake = (): void => {}
      const push = (state: QuestionState | Error | null): void => {
        states.push(state)
        wake()
      }
      signal.addEventListener('abort', () => push(null))
      subscriptions.push({ signal, push })
      for (;;) {
        if (states.length === 0)
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        const state = states.shift()
        if (state instanceof Error) throw state
        if (!state) return
        yield state
      }
    },
  } as unknown as HostChannel
  const entry: InboxSandbox = {
    id,
    name: `The ${id}`,
    sandbox: sandboxOf(channel, id),
  }
  return {
    entry,
    reads,
    subscriptions,
    say: (state: QuestionState | Error | null) => subscriptions.at(-1)?.push(state),
    replyWith: (given: () => Promise<QuestionState>) => {
      reply = given
    },
    mend: () => {
      reply = async (toolCallId) => ({ toolCallId })
    },
  }
}

function lookingAround(more: Partial<LookAround> = {}) {
  const clock = createFakeClock()
  return { clock, around: { ...lookAround({ clock, signingKeys: null, onWarning: () => {} }), ...more } }
}

/** Watches until the test ends. `said` takes the changes since the last call, in short. */
async function watched(given: InboxSandboxes, more: Partial<LookAround> = {}) {
  const { clock, around } = lookingAround(more)
  const stop = new AbortController()
  const seen: InboxChange[] = []
  const done = (async () => {
    for await (const change of watchSandboxes(given, around, stop.signal)) seen.push(change)
  })()
  onTestFinished(async () => {
    stop.abort()
    await done
  })
  const said = async (): Promise<string[]> => {
    await turn()
    return seen.splice(0).map(short)
  }
  const advance = async (ms: number): Promise<void> => {
    clock.advance(ms)
    await turn()
  }
  await turn()
  return { clock, advance, seen, said, stop, done }
}

const short = (change: InboxChange): string =>
  change.kind === 'question'
    ? `${change.sandboxId}/${change.question.toolCallId} ${change.question.state}`
    : `${change.sandboxId} ${change.kind}`

const open = (toolCallId: string): QuestionState => ({ toolCallId, record: openRecord(toolCallId) })
const sent = (toolCallId: string): QuestionState => ({
  ...open(toolCallId),
  answerFile: answerFileFor(toolCallId, { status: 'completed' }),
})
const closing = (toolCallId: string): QuestionState => ({
  toolCallId,
  record: {
    ...openRecord(toolCallId),
    state: 'closing',
    reason: 'timed-out',
    closingAt: '2026-01-01T00:00:02.000Z',
  } as unknown as NonNullable<QuestionState['record']>,
})
const answered = (toolCallId: string): QuestionState => ({
  toolCallId,
  record: { ...openRecord(toolCallId), ...receiptOf() },
})

describe('the sandboxes of a watched inbox', () => {
  it('cannot be watched if they cannot be named at first', async () => {
    const { clock, around } = lookingAround()
    const failing: InboxSandboxes = async () => {
      throw new Error('The list is gone')
    }
    const watch = async (given: InboxSandboxes): Promise<void> => {
      for await (const _ of watchSandboxes(given, around, new AbortController().signal));
    }
    await expect(watch(failing)).rejects.toThrow('The list is gone')
    const twice = [scripted('one').entry, scripted('one').entry]
    await expect(watch(twice)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect(clock.pending()).toBe(0)
  })

  it('stay as they are known while they cannot be named later', async () => {
    const one = scripted('one')
    let list = async (): Promise<InboxSandbox[]> => [one.entry]
    const { advance, said } = await watched(() => list())
    one.say(open('a'))
    expect(await said()).toEqual(['one/a open'])
    list = async () => {
      throw new Error('The list is gone')
    }
    await advance(1000)
    one.say(open('b'))
    expect(await said()).toEqual(['one/b open'])
    list = async () => []
    await advance(1000)
    expect(await said()).toEqual(['one removed'])
  })

  it('are asked for every second if a function names them, and else once', async () => {
    const one = scripted('one')
    let looks = 0
    const list = () => {
      looks++
      return [one.entry]
    }
    const { advance, clock } = await watched(list)
    expect([looks, clock.pending()]).toEqual([1, 2])
    await advance(999)
    expect(looks).toBe(1)
    await advance(1)
    expect([looks, one.subscriptions.length]).toEqual([2, 1])
    const still = await watched([scripted('two').entry])
    expect(still.clock.pending()).toBe(1)
  })

  it('are followed anew if another sandbox has the id, and are left when they are gone', async () => {
    const [first, second, stays] = [scripted('one'), scripted('one'), scripted('two')]
    let entries = [first.entry, stays.entry]
    const { advance, said } = await watched(() => entries)
    entries = [second.entry, stays.entry]
    await advance(1000)
    expect(await said()).toEqual(['one removed'])
    expect(first.subscriptions.map(({ signal }) => signal.aborted)).toEqual([true])
    expect(stays.subscriptions.map(({ signal }) => signal.aborted)).toEqual([false])
    first.say(open('old'))
    second.say(open('new'))
    stays.say(open('a'))
    expect(await said()).toEqual(['one/new open', 'two/a open'])
    const checked = first.reads.length
    await advance(10_000)
    expect(first.reads).toHaveLength(checked)
    expect(first.subscriptions).toHaveLength(1)
  })

  it('are left when the reader goes', async () => {
    const one = scripted('one')
    const { clock, stop, done } = await watched(() => [one.entry])
    stop.abort()
    await done
    await turn()
    expect(one.subscriptions.map(({ signal }) => signal.aborted)).toEqual([true])
    expect(clock.pending()).toBe(0)
  })
})

describe('a sandbox of a watched inbox', () => {
  it('is checked every five seconds, by a question that nobody asks', async () => {
    const one = scripted('one')
    const { advance, said } = await watched([one.entry])
    expect(one.reads).toEqual(['sandagent-inbox-check'])
    await advance(4999)
    expect(one.reads).toHaveLength(1)
    await advance(1)
    expect(one.reads).toHaveLength(2)
    expect(await said()).toEqual([])
  })

  it('is unreachable while its check fails, and reachable once after', async () => {
    const one = scripted('one')
    const cause = new AskError('UNREACHABLE', 'This question cannot be read: no disk')
    one.replyWith(() => Promise.reject(cause))
    const { advance, said, seen } = await watched([one.entry])
    expect(seen).toEqual([
      {
        kind: 'unreachable',
        sandboxId: 'one',
        sandboxName: 'The one',
        code: 'UNREACHABLE',
        message: 'Its questions cannot be read: no disk',
      },
    ])
    seen.length = 0
    one.replyWith(() => Promise.reject(new Error('This question is lost')))
    await advance(5000)
    expect(seen).toMatchObject([{ code: 'UNREACHABLE', message: 'This question is lost' }])
    seen.length = 0
    one.replyWith(() => Promise.reject(new AskError('INVALID_FILE', 'It is broken')))
    await advance(5000)
    expect(seen).toMatchObject([{ code: 'INVALID_FILE', message: 'It is broken' }])
    seen.length = 0
    one.mend()
    await advance(5000)
    expect(seen).toEqual([{ kind: 'reachable', sandboxId: 'one', sandboxName: 'The one' }])
    seen.length = 0
    await advance(5000)
    expect(await said()).toEqual([])
  })

  it('is unreachable if it does not reply in time', async () => {
    const one = scripted('one')
    one.replyWith(() => new Promise(() => {}))
    const { advance, seen } = await watched([one.entry], { patienceMs: 3000 })
    await advance(2999)
    expect(seen).toEqual([])
    await advance(1)
    expect(seen).toMatchObject([{ kind: 'unreachable', message: 'It has not replied within 3 s' }])
  })

  it('is reachable for a reader who missed it', async () => {
    const [one, two] = [scripted('one'), scripted('two')]
    const { said } = await watched([one.entry, two.entry], { wasMissed: (id) => id === 'two' })
    expect(await said()).toEqual(['two reachable'])
  })

  it('is followed again five seconds after its changes broke off, and is unreachable meanwhile', async () => {
    const one = scripted('one')
    const { advance, said, seen } = await watched([one.entry])
    one.say(new AskError('UNREACHABLE', 'This question cannot be read'))
    await turn()
    expect(seen).toMatchObject([{ kind: 'unreachable', message: 'This question cannot be read' }])
    seen.length = 0
    await advance(4999)
    expect(one.subscriptions).toHaveLength(1)
    await advance(1)
    expect(one.subscriptions).toHaveLength(2)
    expect(await said()).toEqual(['one reachable'])
    one.say(null)
    expect(await said()).toEqual([])
    await advance(5000)
    expect(one.subscriptions).toHaveLength(3)
  })

  it('tells of each question while it waits, and once when it no longer does', async () => {
    const one = scripted('one')
    const { said } = await watched([one.entry])
    one.say(answered('past'))
    one.say({ toolCallId: 'none' })
    one.say(open('a'))
    expect(await said()).toEqual(['one/a open'])
    // What has not changed is not told again.
    one.say(open('a'))
    expect(await said()).toEqual([])
    one.say(closing('a'))
    expect(await said()).toEqual([])
    one.say(sent('a'))
    expect(await said()).toEqual(['one/a sent'])
    one.say(answered('a'))
    expect(await said()).toEqual([])
    one.say(open('b'))
    await turn()
    one.say(answered('b'))
    expect((await said()).at(-1)).toBe('one/b answered')
  })

  it('does not tell of a question that the reader may not see', async () => {
    const one = scripted('one')
    const { around } = lookingAround()
    const { said } = await watched([one.entry], {
      show: async (sandbox, state) => (state.toolCallId === 'secret' ? null : around.show(sandbox, state)),
    })
    one.say(open('secret'))
    one.say(open('a'))
    expect(await said()).toEqual(['one/a open'])
  })

  it('tells a slow reader only the latest of each question and of each sandbox', async () => {
    const [one, two] = [scripted('one'), scripted('two')]
    const { clock, around } = lookingAround()
    const stop = new AbortController()
    const changes = watchSandboxes([one.entry, two.entry], around, stop.signal)[Symbol.asyncIterator]()
    const first = changes.next()
    await turn()
    one.say(open('first'))
    expect(short((await first).value)).toBe('one/first open')
    for (const state of [open('a'), sent('a'), open('b')]) one.say(state)
    two.say(open('a'))
    one.replyWith(() => Promise.reject(new Error('It is away')))
    clock.advance(5000)
    await turn()
    one.mend()
    clock.advance(5000)
    await turn()
    const seen: string[] = []
    for (let count = 0; count < 4; count++) seen.push(short((await changes.next()).value))
    expect(seen.sort()).toEqual(['one reachable', 'one/a sent', 'one/b open', 'two/a open'])
    stop.abort()
    expect(await changes.next()).toEqual({ done: true, value: undefined })
  })

  it('tells a slow reader first that another sandbox has the id, and then what waits there', async () => {
    const [one, other] = [scripted('one'), scripted('one')]
    const { clock, around } = lookingAround()
    const stop = new AbortController()
    let list = [one.entry]
    const changes = watchSandboxes(() => list, around, stop.signal)[Symbol.asyncIterator]()
    const first = changes.next()
    await turn()
    one.say(open('first'))
    expect(short((await first).value)).toBe('one/first open')
    for (const id of ['a', 'b']) one.say(open(id))
    await turn()
    list = [other.entry]
    other.replyWith(() => Promise.reject(new Error('It is away')))
    clock.advance(1000)
    await turn()
    other.say(open('a'))
    await turn()
    const seen: string[] = []
    for (let count = 0; count < 3; count++) seen.push(short((await changes.next()).value))
    expect([seen[0], seen.slice(1).sort()]).toEqual(['one removed', ['one unreachable', 'one/a open']])
    stop.abort()
    expect(await changes.next()).toEqual({ done: true, value: undefined })
  })
})
