import { appendFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, systemClock } from '@sandagent/core'
import { createMemoryFleet } from '@sandagent/fleet'
import { fleetSandbox } from '@sandagent/fleet-host'
import { createSigningKey, type LocalSandbox, parseSigningKeys, submitAnswer } from '@sandagent/sdk'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createInbox,
  type Inbox,
  type InboxChange,
  type InboxQuestion,
  type InboxSandbox,
} from '../src/index.ts'
import { noted, started } from './support/runs.ts'
import {
  answerFile,
  ask,
  close,
  LANGUAGE,
  picked,
  refusalOf,
  settle,
  tempSandbox,
} from './support/temp-sandbox.ts'

const answers = { 'Which language?': 'Python' }
const askedAt = (second: number) => ({
  askedAt: `2025-01-30T12:00:${String(second).padStart(2, '0')}.000Z`,
})

/** An inbox of sandboxes `one`, `two`… in folders of their own. */
async function inboxOf(count: number): Promise<{ inbox: Inbox; sandboxes: LocalSandbox[] }> {
  const sandboxes = await Promise.all(Array.from({ length: count }, () => tempSandbox()))
  const entries = sandboxes.map((sandbox, index) => entryOf(sandbox, ['one', 'two', 'three'][index] ?? ''))
  return { inbox: createInbox({ sandboxes: entries, patienceMs: 60_000, onWarning: () => {} }), sandboxes }
}

const entryOf = (sandbox: LocalSandbox, id: string): InboxSandbox => ({ id, name: `The ${id}`, sandbox })

const namesOf = (questions: readonly InboxQuestion[]): string[] =>
  questions.map(({ sandboxId, question }) => `${sandboxId}/${question.toolCallId}`)

/** Makes the questions of a sandbox unreadable; the returned function mends it. */
async function breakApart({ workdir }: LocalSandbox): Promise<() => Promise<void>> {
  const folder = join(workdir, '.sandagent/questions')
  await rename(folder, `${folder}.moved`)
  await writeFile(folder, 'This is no folder')
  return async () => {
    await rm(folder)
    await rename(`${folder}.moved`, folder)
  }
}

/** All pages of a list, by the names of their questions. */
async function pagesOf(
  list: (page: { limit: number; cursor?: string | undefined }) => Promise<{
    questions: InboxQuestion[]
    nextCursor?: string
  }>,
  limit: number,
): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const page = await list({ limit, cursor })
    pages.push(namesOf(page.questions))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return pages
}

describe('the list of an inbox', () => {
  it('has the questions of all sandboxes, oldest first, and says where each is asked', async () => {
    const { inbox, sandboxes } = await inboxOf(2)
    const [one, two] = sandboxes as [LocalSandbox, LocalSandbox]
    await ask(one, 'a', [LANGUAGE], askedAt(1))
    await ask(two, 'b', [LANGUAGE], { ...askedAt(2), runId: 'run-2' })
    await ask(one, 'c', [LANGUAGE], askedAt(3))
    await ask(two, 'answered', [LANGUAGE], askedAt(1))
    await submitAnswer(two, { toolCallId: 'answered', answers })
    const { questions, unreachable, nextCursor } = await inbox.list()
    expect(namesOf(questions)).toEqual(['one/a', 'two/b', 'one/c'])
    expect(questions[1]).toMatchObject({
      sandboxName: 'The two',
      runId: 'run-2',
      question: { state: 'open', questions: [{ question: 'Which language?' }] },
    })
    expect([unreachable, nextCursor]).toEqual([[], undefined])
  })

  it('has each question once on its pages, also the same id at the same moment in several sandboxes', async () => {
    const { inbox, sandboxes } = await inboxOf(3)
    for (const sandbox of sandboxes)
      for (const [index, id] of ['a', 'b', 'c', 'd'].entries())
        await ask(sandbox, id, [LANGUAGE], askedAt(Math.floor(index / 2)))
    const all = namesOf((await inbox.list()).questions)
    expect(all.slice(0, 4)).toEqual(['one/a', 'three/a', 'two/a', 'one/b'])
    for (const limit of [1, 2, 5, 12]) {
      const pages = await pagesOf(inbox.list, limit)
      expect(pages.flat()).toEqual(all)
      expect(pages).toHaveLength(Math.ceil(12 / limit))
    }
  })

  it('names a sandbox that cannot be read, and shows the questions of the others', async () => {
    const { inbox, sandboxes } = await inboxOf(2)
    for (const sandbox of sandboxes) await ask(sandbox, 'a')
    await breakApart(sandboxes[0] as LocalSandbox)
    const { questions, unreachable } = await inbox.list()
    expect(namesOf(questions)).toEqual(['two/a'])
    expect(unreachable).toMatchObject([
      { sandboxId: 'one', sandboxName: 'The one', code: 'UNREACHABLE', message: expect.any(String) },
    ])
  })

  it('does not wait for a sandbox that does not reply', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'a')
    const { id: _, stamps: __, ...files } = sandbox.files
    const silent = { ...files, list: () => new Promise<never>(() => {}) }
    const clock = createFakeClock(new Date().toISOString())
    const inbox = createInbox({
      sandboxes: [{ id: 'silent', name: 'Silent', sandbox: { files: silent } }, entryOf(sandbox, 'one')],
      patienceMs: 200,
      clock,
    })
    const list = inbox.list()
    await clock.whenPending(2)
    await vi.waitFor(() => expect(clock.pending()).toBe(1)) // One of them has replied.
    clock.advance(200)
    const { questions, unreachable } = await list
    expect(namesOf(questions)).toEqual(['one/a'])
    expect(unreachable).toMatchObject([{ sandboxId: 'silent', message: 'It has not replied within 0.2 s' }])
  })

  it('does not wait for a sandbox that does not reply when it makes an answer link', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'a')
    const { id: _, stamps: __, ...files } = sandbox.files
    const silent = { ...files, read: () => new Promise<never>(() => {}) }
    const inbox = createInbox({
      sandboxes: [{ id: 'silent', name: 'Silent', sandbox: { files: silent } }],
      signingKeys: await parseSigningKeys(await createSigningKey()),
      patienceMs: 200,
    })
    const link = inbox.answerLink('silent', { toolCallId: 'a', page: 'https://inbox.example/answer' })
    await expect(link).rejects.toMatchObject({ code: 'UNREACHABLE' })
  })

  it('refuses wrong pages, and two sandboxes of one id', async () => {
    const sandbox = await tempSandbox()
    const inbox = createInbox({ sandboxes: [entryOf(sandbox, 'one')] })
    for (const page of [{ limit: 0 }, { limit: 1.5 }, { cursor: 'none' }, { cursor: 'WzEsMl0' }])
      for (const list of [inbox.list, inbox.history])
        expect(await refusalOf(list(page))).toMatchObject({ code: 'INVALID_REQUEST' })
    const twice = createInbox({ sandboxes: [entryOf(sandbox, 'one'), entryOf(sandbox, 'one')] })
    expect(await refusalOf(twice.list())).toMatchObject({ faults: [{ path: '1.id' }] })
  })
})

describe('the history of an inbox', () => {
  it('has what was answered or has ended, the latest first, and who answered what', async () => {
    const { inbox, sandboxes } = await inboxOf(2)
    const [one, two] = sandboxes as [LocalSandbox, LocalSandbox]
    for (const id of ['settled', 'open', 'sent', 'aborted']) await ask(one, id, [LANGUAGE], askedAt(1))
    await ask(two, 'settled', [LANGUAGE], askedAt(1))
    const settledAt = (second: number) => ({ settledAt: askedAt(second).askedAt })
    const response = { responses: { q1: picked('Python') }, answeredBy: 'Ada' }
    await settle(one, 'settled', { ...settledAt(2), ...response })
    await settle(two, 'settled', { ...settledAt(3), ...response })
    await settle(one, 'aborted', { ...settledAt(4), state: 'aborted' })
    await inbox.submit('one', { toolCallId: 'sent', answers }, { answeredBy: 'Bo' })
    const { questions } = await inbox.history()
    expect(namesOf(questions)).toEqual(['one/sent', 'one/aborted', 'two/settled', 'one/settled'])
    expect(questions[0]?.question).toMatchObject({ state: 'sent', answeredBy: 'Bo' })
    expect(questions[2]?.question).toMatchObject({ state: 'answered', responses: { q1: picked('Python') } })
    expect(await pagesOf(inbox.history, 3)).toEqual([
      ['one/sent', 'one/aborted', 'two/settled'],
      ['one/settled'],
    ])
  })
})

describe('one question of an inbox', () => {
  it('is found in its sandbox, and answered there alone', async () => {
    const { inbox, sandboxes } = await inboxOf(2)
    const [one, two] = sandboxes as [LocalSandbox, LocalSandbox]
    await ask(one, 'a')
    await ask(two, 'a')
    await ask(two, 'b')
    expect(await inbox.find({ toolCallId: 'b' })).toMatchObject({ sandboxId: 'two', runId: 'run-1' })
    expect(await refusalOf(inbox.find({ toolCallId: 'a' }))).toMatchObject({
      code: 'CONFLICT',
      facts: { sandboxIds: ['one', 'two'] },
    })
    expect(await inbox.submit('two', { toolCallId: 'a', answers }, { answeredBy: 'Ada' })).toEqual({
      status: 'completed',
      revision: 1,
    })
    expect(await answerFile(two, 'a')).toMatchObject({ answers, answeredBy: 'Ada' })
    expect((await inbox.find({ toolCallId: 'a', sandboxId: 'one' })).question.state).toBe('open')
    await inbox.decline('one', { toolCallId: 'a', reason: 'Later' })
    expect((await inbox.find({ toolCallId: 'a', sandboxId: 'one' })).question).toMatchObject({
      state: 'sent',
      declined: true,
      reason: 'Later',
    })
  })

  it('is unknown, or perhaps in a sandbox that cannot be read', async () => {
    const { inbox, sandboxes } = await inboxOf(2)
    await ask(sandboxes[0] as LocalSandbox, 'a')
    expect(await refusalOf(inbox.find({ toolCallId: 'x' }))).toMatchObject({ code: 'NOT_FOUND' })
    expect(await refusalOf(inbox.find({ toolCallId: 'a', sandboxId: 'x' }))).toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await refusalOf(inbox.submit('x', { toolCallId: 'a', answers }))).toMatchObject({
      code: 'NOT_FOUND',
    })
    await breakApart(sandboxes[0] as LocalSandbox)
    expect(await refusalOf(inbox.find({ toolCallId: 'x' }))).toMatchObject({ code: 'UNREACHABLE' })
  })
})

/** The machine's time, but short pauses: nobody has to wait for them. */
const hastyClock: Clock = {
  now: systemClock.now,
  after: (ms, callback) => systemClock.after(ms / 50, callback),
}

/** Watches an inbox until the test ends. `next` resolves to the first change from now on that is like this. */
function watched(inbox: Inbox) {
  const stop = new AbortController()
  const seen: InboxChange[] = []
  const done = (async () => {
    for await (const change of inbox.watch({ signal: stop.signal })) seen.push(change)
  })()
  onTestFinished(async () => {
    stop.abort()
    await done
  })
  const next = async (like: object): Promise<void> => {
    const place = await vi.waitFor(() => {
      const index = seen.findIndex((change) => expect.objectContaining(like).asymmetricMatch(change))
      if (index === -1) throw new Error(`It has not come: ${JSON.stringify(like)}`)
      return index
    })
    seen.splice(0, place + 1)
  }
  return { next, stop, done, seen }
}

/** How many watches of a sandbox's folders are open. */
function countWatches({ files }: LocalSandbox): () => number {
  const open = new Set<object>()
  const { watch } = files
  files.watch = (...given) => {
    const stop = watch?.(...given)
    const one = {}
    open.add(one)
    return () => {
      open.delete(one)
      stop?.()
    }
  }
  return () => open.size
}

const changed = (sandboxId: string, toolCallId: string, state: string) => ({
  kind: 'question',
  sandboxId,
  question: expect.objectContaining({ toolCallId, state }),
})

describe('the changes of an inbox', () => {
  it('tell of questions that wait, come and go in all sandboxes, until the signal aborts', async () => {
    const { inbox, sandboxes } = await inboxOf(2)
    const [one, two] = sandboxes as [LocalSandbox, LocalSandbox]
    await ask(one, 'past')
    await settle(one, 'past', {})
    await ask(one, 'a')
    const { next, stop, done, seen } = watched(inbox)
    await next(changed('one', 'a', 'open'))
    await ask(two, 'a')
    await next(changed('two', 'a', 'open'))
    await submitAnswer(one, { toolCallId: 'a', answers })
    await next(changed('one', 'a', 'sent'))
    await settle(one, 'a', { revision: 1, responses: { q1: picked('Python') } })
    await ask(two, 'b')
    await next(changed('two', 'b', 'open'))
    await close(two, 'b')
    await settle(two, 'b', { state: 'timed-out' })
    await next(changed('two', 'b', 'timed-out'))
    stop.abort()
    await done
    expect(seen).toEqual([])
  })

  it('tell of a sandbox that cannot be read, and of its return', async () => {
    const [one, two] = [await tempSandbox(), await tempSandbox()]
    const sandboxes = [entryOf(one, 'one'), entryOf(two, 'two')]
    const inbox = createInbox({ sandboxes, clock: hastyClock, patienceMs: 60_000, onWarning: () => {} })
    await ask(one, 'a')
    const mend = await breakApart(one)
    const { next } = watched(inbox)
    await next({
      kind: 'unreachable',
      sandboxId: 'one',
      sandboxName: 'The one',
      message: expect.stringMatching(/^(Its|The) questions cannot be read/),
    })
    await ask(two, 'b')
    await next(changed('two', 'b', 'open'))
    await mend()
    await next({ kind: 'reachable', sandboxId: 'one' })
  })

  it('tell of sandboxes that come and go', async () => {
    const [one, two] = [await tempSandbox(), await tempSandbox()]
    await ask(one, 'a')
    await ask(two, 'b')
    const watches = [one, two].map(countWatches)
    let entries = [entryOf(one, 'one')]
    const { next, stop, done } = watched(createInbox({ sandboxes: () => entries }))
    await next(changed('one', 'a', 'open'))
    entries = [entryOf(two, 'two')]
    await next({ kind: 'removed', sandboxId: 'one', sandboxName: 'The one' })
    await next(changed('two', 'b', 'open'))
    await vi.waitFor(() => expect(watches.map((count) => count() > 0)).toEqual([false, true]))
    stop.abort()
    await done
    await vi.waitFor(() => expect(watches.map((count) => count())).toEqual([0, 0]))
  })
})

describe('the runs of an inbox', () => {
  it('are those of all sandboxes, with the last messages and edits of their logs', async () => {
    const { inbox, sandboxes } = await inboxOf(2)
    const [one, two] = sandboxes as [LocalSandbox, LocalSandbox]
    const { runId } = await started(one, { agent: 'finishes', prompt: 'Build it' })
    await noted(one, runId)
    const second = await started(two, { agent: 'finishes' })
    await noted(two, second.runId)
    expect(await inbox.runs()).toMatchObject({
      runs: [
        { sandboxId: 'one', run: { runId, prompt: 'Build it', state: 'finished' } },
        { sandboxId: 'two', sandboxName: 'The two' },
      ],
      unreachable: [],
    })
    const said = (id: string, delta: string) => ({ type: 'text-delta', id, delta })
    const chunks = [
      said('1', 'I look '),
      said('1', 'around.'),
      { type: 'text-end', id: '1' },
      { type: 'tool-input-available', toolCallId: 't1', toolName: 'Bash', input: { command: 'ls' } },
      { type: 'tool-output-available', toolCallId: 't1', output: 'README.md' },
      {
        type: 'tool-input-available',
        toolCallId: 't2',
        toolName: 'Write',
        input: { content: 'x'.repeat(9000) },
      },
      { type: 'tool-output-error', toolCallId: 't2', errorText: 'No room' },
      // A long path that comes again and again does not make a reply of many megabytes.
      ...Array.from({ length: 3 }, (_, index) => [
        {
          type: 'tool-input-available',
          toolCallId: `long-${index}`,
          toolName: 'MultiEdit',
          input: { file_path: 'x'.repeat(50_000), edits: [{ old_string: '', new_string: '1' }] },
        },
        { type: 'tool-output-available', toolCallId: `long-${index}`, output: '' },
        { type: 'tool-output-available', toolCallId: `long-${index}`, output: '' },
      ]).flat(),
      {
        type: 'tool-input-available',
        toolCallId: 't3',
        toolName: 'Edit',
        input: { file_path: 'a.ts', old_string: 'let', new_string: 'const' },
      },
      { type: 'tool-output-available', toolCallId: 't3', output: 'Done' },
      said('1', 'It is full.'),
    ]
    const deep = '['.repeat(20_000) + ']'.repeat(20_000)
    const log = join(one.workdir, '.sandagent/runs', runId, '1/stream.sse')
    await appendFile(
      log,
      `data: {"type":"tool-input-available","toolCallId":"t0","toolName":"Deep","input":${deep}}\n\n`,
    )
    await appendFile(log, chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''))
    const { messages, edits } = await inbox.lastWork('one', runId)
    expect(edits.map(({ path }) => path.length)).toEqual([50_000, 50_000, 4])
    expect(edits.at(-1)).toEqual({ path: 'a.ts', before: 'let', after: 'const' })
    expect(messages).toEqual([
      expect.objectContaining({ toolName: 'Deep', input: 'It is nested too deeply to be shown.' }),
      { kind: 'text', text: 'I look around.' },
      {
        kind: 'tool',
        toolCallId: 't1',
        toolName: 'Bash',
        state: 'done',
        input: { command: 'ls' },
        output: 'README.md',
      },
      {
        kind: 'tool',
        toolCallId: 't2',
        toolName: 'Write',
        state: 'failed',
        input: expect.stringMatching(/^\{"content":"x{3000,}$/),
        output: 'No room',
      },
      ...['long-0', 'long-1', 'long-2', 't3'].map((toolCallId) =>
        expect.objectContaining({ kind: 'tool', toolCallId, state: 'done' }),
      ),
      { kind: 'text', text: 'It is full.' },
    ])
    expect((await inbox.lastWork('one', runId, { limit: 1 })).messages).toEqual([
      { kind: 'text', text: 'It is full.' },
    ])
    expect(await inbox.lastWork('one', 'run-unknown')).toEqual({ messages: [], edits: [] })
    expect(await inbox.run('two', second.runId)).toMatchObject({ run: { state: 'finished' } })
    expect(await refusalOf(inbox.run('two', runId))).toMatchObject({ code: 'NOT_FOUND' })
    const text = await new Response(await inbox.log('two', second.runId)).text()
    expect(text).toContain('data: [DONE]')
  })

  it('have the logs that a fleet keeps of them, and none of other sandboxes', async () => {
    const fleet = createMemoryFleet()
    const chunks = [{ type: 'text-delta', id: '1', delta: 'I look around.' }, { type: 'finish' }]
    const text = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
      .map((line) => `data: ${line}\n\n`)
      .join('')
    for (const [runId, namespace] of [
      ['run-1', 'here'],
      ['run-2', 'there'],
    ] as const) {
      await fleet.runs.put({ runId, namespace, metadata: {}, startedAt: '2026-01-01T00:00:00.000Z' })
      const bytes = Buffer.from(text)
      await fleet.logs?.append({ runId, attempt: 1 }, { offset: 0, bytes, ended: 'finished' })
    }
    const inbox = createInbox({
      sandboxes: [{ id: 'one', name: 'One', sandbox: fleetSandbox(fleet, 'here') }],
    })
    const { messages } = await inbox.lastWork('one', 'run-1')
    expect(messages).toEqual([{ kind: 'text', text: 'I look around.' }])
    const streamed = await new Response(await inbox.log('one', 'run-1')).text()
    expect(streamed).toContain('I look around.')
    expect(streamed).toMatch(/data: \[DONE\]\n\n$/)
    expect(await inbox.lastWork('one', 'run-2')).toEqual({ messages: [], edits: [] })
    expect(await refusalOf(inbox.log('one', 'run-2'))).toMatchObject({ code: 'NOT_FOUND' })
  })
})
