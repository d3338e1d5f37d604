import { realpathSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import {
  type AnswerFile,
  AskError,
  identityOf,
  type QuestionRecord,
  systemClock,
} from '@sandagent/core/internal'
import { createHostChannel } from '@sandagent/core/store'
import { answerFilePath, createFileRunnerStore, questionRecordPath } from '@sandagent/files'
import { LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { answerFileFor, type StoreHalves, storeContract } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RelayClient } from '../../src/connection/relay-client.ts'
import { serveRelay } from '../../src/relay/serve-relay.ts'
import { RemoteSandbox } from '../../src/sandbox/remote-sandbox.ts'
import { remoteStore } from '../../src/sandbox/remote-store.ts'
import { relayPair } from '../support/relay-pair.ts'
import { answerFile, ask, picked } from '../support/temp-sandbox.ts'

const OPTIONS = {
  publicKeys: async () => null,
  authenticate: async (given: AnswerFile) => given,
  onWarning: () => {},
  clock: systemClock,
}

interface RemoteHalves extends StoreHalves {
  sandbox: RemoteSandbox
}

/** Puts a text into a file as another program would. */
async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.other`, text)
  await rename(`${path}.other`, path)
}

const cases = storeContract(
  async (): Promise<RemoteHalves> => {
    const workdir = await mkdtemp(join(realpathSync(tmpdir()), 'sandagent-test-'))
    const local = new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })
    const connect = () => {
      const [stdin, stdout] = [new PassThrough(), new PassThrough()]
      const serving = serveRelay({ sandbox: local, input: stdin, output: stdout, version: '1' })
      return { stdin, stdout, closed: serving.then(() => undefined) }
    }
    const sandbox = new RemoteSandbox({ name: workdir, workdir, relay: ['relay'], connect })
    return {
      sandbox,
      runner: () => createFileRunnerStore({ workdir }),
      host: () => sandbox.questions,
    }
  },
  {
    async remove({ sandbox }) {
      sandbox.close()
      await rm(sandbox.workdir, { recursive: true, force: true, maxRetries: 5 })
    },
    putAnswer: ({ sandbox: { workdir } }, id, text) => put(join(workdir, answerFilePath(id)), text),
    putRecord: ({ sandbox: { workdir } }, id, text) => put(join(workdir, questionRecordPath(id)), text),
  },
)

describe('a store behind a relay', () => {
  for (const { name, run } of cases) it(name, run)

  it('answers a question, and lists it before', async () => {
    const { local, remote } = await relayPair()
    await ask(local, 'q')
    const [question] = await listQuestions(remote, { signingKeys: null })
    expect(question).toMatchObject({ toolCallId: 'q' })
    const responses = { [`${question?.questions[0]?.id}`]: picked('Python') }
    const answer = { toolCallId: 'q', responses, status: 'completed' as const }
    await submitAnswer(remote, answer, { signingKeys: null, answeredBy: 'ada' })
    expect(await answerFile(local, 'q')).toMatchObject({ status: 'completed', answeredBy: 'ada' })
  })
})

const RECORD: QuestionRecord = {
  version: 1,
  toolCallId: 'q',
  toolName: 'AskUserQuestion',
  kind: 'question',
  questions: [{ id: 'a', question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }],
  questionDigest: 'd',
  askedAt: '2026-01-01T00:00:00.000Z',
  timeoutMs: 'never',
  deadline: null,
  nonce: 'n',
  runId: 'r',
  state: 'open',
} as unknown as QuestionRecord

type Given = { onEvent(event: unknown): void; onAgain(): void }

/** A channel whose relay gives these events and replies. `calls` has what it was asked. */
function scripted(reply: (name: string, args: Record<string, unknown>, given: Given) => unknown) {
  const calls: [string, Record<string, unknown>][] = []
  const call = async (name: string, args: Record<string, unknown>, given: Given) => {
    calls.push([name, args])
    return reply(name, args, given)
  }
  const warnings = vi.fn()
  const own = remoteStore({ call } as unknown as RelayClient)
  const authenticate = vi.fn(OPTIONS.authenticate)
  const host = createHostChannel(own.questions, { ...OPTIONS, authenticate, onWarning: warnings })
  return { own, host, calls, warnings, authenticate }
}

const recordText = JSON.stringify(RECORD)
const state = (toolCallId = 'q') => ({
  toolCallId,
  record: JSON.stringify({ ...RECORD, toolCallId }),
  keyIds: ['k'],
})

describe('a channel whose relay says what it likes', () => {
  it('lists the records of the latest reply alone', async () => {
    const { host, calls } = scripted((_, __, { onEvent, onAgain }) => {
      onEvent({ record: recordText })
      onAgain()
      onEvent({ record: recordText })
    })
    expect(await host.questions()).toMatchObject([{ toolCallId: 'q' }])
    await host.questions({ unsettled: true })
    expect(calls.map(([, args]) => args)).toEqual([
      { keys: null, unsettled: false },
      { keys: null, unsettled: true },
    ])
  })

  it('gives older questions of the latest reply alone', async () => {
    const { host } = scripted((_, __, { onEvent, onAgain }) => {
      onEvent({ state: state('x') })
      onAgain()
      onEvent({ state: state() })
    })
    expect(await host.withoutRecord?.()).toMatchObject([{ toolCallId: 'q' }])
  })

  it.each<
    [string, (host: ReturnType<typeof scripted>['host']) => Promise<unknown>, (text: string) => object]
  >([
    ['questions', (host) => host.questions(), (record) => ({ record })],
    [
      'older questions',
      async (host) => host.withoutRecord?.(),
      (record) => ({ state: { toolCallId: 'q', record } }),
    ],
    [
      'states',
      (host) => host.states([RECORD, { ...RECORD, toolCallId: 'other' }]),
      (record) => ({ index: 0, state: { toolCallId: 'q', record } }),
    ],
  ])('refuses %s that would fill the memory', async (_, list, eventOf) => {
    const padded = JSON.stringify({ ...RECORD, questions: [{ ...RECORD.questions[0], question: 'x' }] })
    const large = padded + ' '.repeat(20 * 1024 * 1024)
    const give = (times: number, again = 0) =>
      scripted((__, ___, { onEvent, onAgain }) => {
        for (let count = 1; count <= times; count++) {
          onEvent(eventOf(large))
          if (count === again) onAgain()
        }
        if (again) onEvent(eventOf(recordText))
      }).host
    await expect(list(give(4))).rejects.toMatchObject({ code: 'TOO_LARGE' })
    await list(give(4, 3))
  })

  it('gives a state or an error for each record, in their order', async () => {
    const records = ['a', 'b', 'c', 'd'].map((toolCallId) => ({ ...RECORD, toolCallId }))
    const { host, calls } = scripted((_, __, { onEvent, onAgain }) => {
      onEvent({ index: 3, state: state('d') })
      onAgain()
      onEvent({ index: 2, error: { code: 'UNREACHABLE', message: 'Of c' } })
      onEvent({ index: 1, error: { message: 'Of b', system: 'EIO' } })
      onEvent({ index: 0, state: state('a') })
    })
    const states = await host.states(records)
    expect(states).toMatchObject([
      { toolCallId: 'a', record: { toolCallId: 'a' } },
      { code: 'UNREACHABLE', facts: { toolCallId: 'b' }, cause: { code: 'EIO' } },
      { code: 'UNREACHABLE', message: 'Of c' },
      { code: 'UNREACHABLE', facts: { toolCallId: 'd' }, cause: undefined },
    ])
    expect(states.slice(1).every((each) => each instanceof AskError)).toBe(true)
    expect(calls[0]).toEqual(['states', { keys: null, toolCallIds: ['a', 'b', 'c', 'd'] }])
  })

  it('refuses the state of a record that it did not ask for', async () => {
    const { host } = scripted((_, __, { onEvent }) => onEvent({ index: 2, state: state() }))
    const records = [RECORD, { ...RECORD, toolCallId: 'other' }]
    await expect(host.states(records)).rejects.toMatchObject({ code: 'TOO_LARGE' })
  })

  it('refuses a reply about another question', async () => {
    const { host } = scripted(() => state('other'))
    await expect(host.read('q')).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringContaining('another question'),
    })
  })

  it('passes on facts of a state', async () => {
    const { host } = scripted(() => ({ ...state(), runEnded: true, unpublished: true }))
    expect(await host.read('q')).toMatchObject({ toolCallId: 'q', runEnded: true, unpublished: true })
    const { host: empty } = scripted(() => ({ toolCallId: 'q', isUnread: true }))
    expect(await empty.read('q')).toEqual({ toolCallId: 'q', isUnread: true })
  })

  it('passes on 1000 warnings of a call, without what could move the cursor', async () => {
    const { host, warnings } = scripted((_, __, { onEvent }) => {
      for (let count = 0; count < 1005; count++)
        onEvent({
          warning: { code: 'INVALID_FILE', message: 'A\u001b[2J', ...(count === 0 && { toolCallId: 'q' }) },
        })
      return state()
    })
    await host.read('q')
    expect(warnings).toHaveBeenCalledTimes(1000)
    const [first, second] = warnings.mock.calls.map(([warning]) => warning)
    expect(first).toMatchObject({ code: 'INVALID_FILE', toolCallId: 'q' })
    expect(first.message).not.toContain('\u001b')
    expect(second).not.toHaveProperty('toolCallId')
  })

  it('knows the keys of a run from its latest reply', async () => {
    const { own, host, calls } = scripted((name) => (name === 'keysOfRun' ? [] : state()))
    expect(await own.runs.keyIds('r')).toBeUndefined()
    await host.read('q')
    expect(await own.runs.keyIds('r')).toEqual(['k'])
    expect(calls.map(([name]) => name)).toEqual(['keysOfRun', 'question'])
    const { own: other } = scripted(() => ['k1'])
    expect(await other.runs.keyIds('r')).toEqual(['k1'])
  })

  it('sends an answer with the keys that it was signed for, to the question that was read', async () => {
    const answer = answerFileFor('q', { nonce: RECORD.nonce })
    const { host, calls } = scripted((name) =>
      name === 'question' ? state() : { record: recordText, keyIds: ['k2'] },
    )
    const write = () => host.write(answer, { expectedRevision: 0 })
    expect(await write()).toMatchObject({ toolCallId: 'q', nonce: RECORD.nonce })
    expect(calls).toEqual([
      ['question', { keys: null, toolCallId: 'q' }],
      [
        'answer',
        {
          keys: null,
          answerFile: JSON.stringify(answer),
          expectedRevision: 0,
          expectedRecord: identityOf(RECORD),
          keyIds: ['k'],
        },
      ],
    ])
  })

  it('tells of another answer that came first, as it is there then', async () => {
    const answer = answerFileFor('q', { nonce: RECORD.nonce })
    let isAnswered = false
    const { host } = scripted((name) => {
      if (name === 'question')
        return {
          ...state(),
          ...(isAnswered && { answerFile: JSON.stringify({ ...answer, answeredBy: 'bo' }) }),
        }
      isAnswered = true
      throw new AskError('CONFLICT', 'Another answer came first')
    })
    await expect(host.write(answer, { expectedRevision: 0 })).rejects.toMatchObject({
      code: 'CONFLICT',
      facts: { answeredBy: 'bo' },
    })
  })

  it('lets the relay see to it that answers survive', async () => {
    const { host, calls } = scripted(() => null)
    expect(await host.persist('q')).toBeUndefined()
    expect(calls).toEqual([['persist', {}]])
  })

  it('gives no record where the relay has none', async () => {
    const { host } = scripted((name) => (name === 'question' ? { toolCallId: 'q' } : {}))
    const answer = answerFileFor('q')
    expect(await host.write(answer, { expectedRevision: 0, expectedRecord: null })).toBeUndefined()
  })
})

describe('a subscription behind a relay', () => {
  it('goes on after a loss, and passes on what has changed alone', async () => {
    const { local, remote, wires, cut } = await relayPair()
    await ask(local, 'a')
    const host = createHostChannel(remote.questions, OPTIONS)
    const stop = new AbortController()
    onTestFinished(() => stop.abort())
    const seen: string[] = []
    const following = (async () => {
      for await (const { toolCallId } of host.subscribe(stop.signal)) seen.push(toolCallId)
    })()
    await vi.waitFor(() => expect(seen).toEqual(['a']))
    cut()
    await vi.waitFor(() => expect(wires).toHaveLength(2))
    await ask(local, 'b')
    await vi.waitFor(() => expect(seen).toContain('b'))
    expect(seen).toEqual(['a', 'b'])
    stop.abort()
    await following
  })

  it('knows the state of the question that it follows, until it ends', async () => {
    const { local, remote } = await relayPair()
    await ask(local, 'a')
    await ask(local, 'b')
    const host = createHostChannel(remote.questions, OPTIONS)
    const stop = new AbortController()
    const states = host.subscribe(stop.signal, 'a')[Symbol.asyncIterator]()
    expect(await states.next()).toMatchObject({ value: { toolCallId: 'a' } })
    expect(await host.known('a')).toMatchObject({ toolCallId: 'a' })
    expect(await host.known('b')).toBeNull()
    stop.abort()
    await states.next()
    expect(await host.known('a')).toBeNull()
  })

  it('warns of a state that cannot be read, and goes on', async () => {
    const { host, warnings } = scripted((_, __, { onEvent }) => {
      onEvent({ warning: { code: 'UNREACHABLE', message: 'One is missing' } })
      onEvent({ state: { toolCallId: 'q', record: '{}' } })
      onEvent({ state: state('other') })
      onEvent({ state: state() })
      return new Promise(() => {})
    })
    const stop = new AbortController()
    const states = host.subscribe(stop.signal, 'q')[Symbol.asyncIterator]()
    expect(await states.next()).toMatchObject({ value: { toolCallId: 'q', record: { nonce: 'n' } } })
    expect(warnings.mock.calls.map(([{ code }]) => code)).toEqual([
      'UNREACHABLE',
      'INVALID_FILE',
      'UNREACHABLE',
    ])
    stop.abort()
    await states.next()
  })

  it('fails when its relay ends it', async () => {
    const { host, calls } = scripted(() => null)
    const states = host.subscribe(new AbortController().signal, 'q')[Symbol.asyncIterator]()
    await expect(states.next()).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: /ended a subscription/,
    })
    const all = host.subscribe(new AbortController().signal)[Symbol.asyncIterator]()
    await expect(all.next()).rejects.toMatchObject({ code: 'UNREACHABLE' })
    expect(calls).toEqual([
      ['subscribe', { keys: null, toolCallId: 'q' }],
      ['subscribe', { keys: null }],
    ])
  })
})
