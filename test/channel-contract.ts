import { getEventListeners } from 'node:events'
import type {
  AnswerFile,
  BoundAnswerFile,
  HostChannel,
  OpenRecord,
  QuestionRecord,
  QuestionState,
  Receipt,
  RunnerChannel,
} from '@sandagent/core/internal'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

/** Both ends of one channel, as if each call came from a process of its own. */
export interface ChannelEnds {
  runner(): RunnerChannel
  host(): HostChannel
}

const QUESTIONS = [{ id: 'q1', question: 'Which language?', options: [{ label: 'A' }, { label: 'B' }] }]

/** A question as a runner would record it. */
export const openRecord = (toolCallId: string, more: Partial<OpenRecord> = {}): OpenRecord => ({
  version: 1,
  toolCallId,
  toolName: 'AskUserQuestion',
  kind: 'question',
  questions: QUESTIONS,
  askedAt: '2026-01-01T00:00:00.000Z',
  timeoutMs: 'never',
  deadline: null,
  nonce: `nonce of ${toolCallId}`,
  runId: 'run-1',
  state: 'open',
  ...more,
})

/** An answer file as a host would write it. */
export const approvalFor = (toolCallId: string, more: Partial<AnswerFile> = {}): BoundAnswerFile => ({
  questions: QUESTIONS,
  answers: { 'Which language?': 'A' },
  status: 'pending',
  timestamp: '2026-01-01T00:00:01.000Z',
  version: 1,
  toolCallId,
  nonce: `nonce of ${toolCallId}`,
  revision: 1,
  responses: { q1: { selected: ['A'], source: 'human' } },
  ...more,
})

const receipt = (more: Partial<Receipt> = {}): Receipt => ({
  state: 'answered',
  settledAt: '2026-01-01T00:00:02.000Z',
  responses: { q1: { selected: ['A'], source: 'human' } },
  revision: 1,
  ...more,
})

/** What every pair of channel ends must do, over whatever it carries questions and answers. */
export function describeChannel(name: string, connect: () => Promise<ChannelEnds>): void {
  describe(`${name}: questions`, () => {
    it('shows the host what the runner asks, oldest first', async () => {
      const { runner, host } = await connect()
      const records = ['third', 'first', 'second'].map((toolCallId) =>
        openRecord(toolCallId, {
          askedAt: `2026-01-0${{ first: 1, second: 2, third: 3 }[toolCallId]}T00:00:00.000Z`,
        }),
      )
      for (const record of records) expect(await runner().open(record)).toMatchObject(record)
      const ids = (await host().questions()).map(({ toolCallId }) => toolCallId)
      expect(ids).toEqual(['first', 'second', 'third'])
      expect(await host().read('first')).toMatchObject({ toolCallId: 'first', record: records[1] })
    })

    it('knows nothing of what nobody asked', async () => {
      const { runner, host } = await connect()
      expect(await host().questions()).toEqual([])
      const unknown = await host().read('unknown')
      expect([unknown.toolCallId, unknown.record, unknown.answerFile]).toEqual([
        'unknown',
        undefined,
        undefined,
      ])
      expect(await runner().read('unknown')).toBeNull()
      await expect(runner().settle('unknown', receipt())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    })

    it('gives a restarted runner the question that is open, not a new one', async () => {
      const { runner, host } = await connect()
      const first = await runner().open(openRecord('t1'))
      const again = await runner().open(
        openRecord('t1', { nonce: 'another', askedAt: '2026-02-02T00:00:00.000Z' }),
      )
      expect(again).toEqual(first)
      expect(await host().questions()).toEqual([first])
    })

    it('makes an open question that of the run which goes on with it', async () => {
      const { runner, host } = await connect()
      const first = await runner().open(openRecord('t1'))
      const adopted = await runner().open(openRecord('t1', { nonce: 'another', runId: 'run-2' }))
      expect(adopted).toEqual({ ...first, runId: 'run-2' })
      expect(await host().questions()).toEqual([adopted])
      await host().write(approvalFor('t1', { status: 'completed' }), { expectedRevision: 0 })
      const settled = await runner().settle('t1', receipt())
      expect(settled).toMatchObject({ runId: 'run-2' })
      expect(await runner().open(openRecord('t1', { runId: 'run-3' }))).toEqual(settled)
    })

    it('gives a restarted runner the receipt of a question that ended', async () => {
      const { runner, host } = await connect()
      const asking = runner()
      await asking.open(openRecord('t1'))
      await host().write(approvalFor('t1', { status: 'completed' }), { expectedRevision: 0 })
      const settled = await asking.settle('t1', receipt())
      expect(settled).toMatchObject({ ...openRecord('t1'), ...receipt() })
      expect(await runner().open(openRecord('t1', { nonce: 'another' }))).toEqual(settled)
      expect((await host().read('t1')).record).toEqual(settled)
    })

    it.each(['open', 'settled'])('asks anew where what is there, %s, may not be taken up', async (state) => {
      const { runner, host } = await connect()
      const earlier = runner()
      const first = await earlier.open(openRecord('t1'))
      const found = state === 'open' ? first : await earlier.settle('t1', receipt())
      const offered: QuestionRecord[] = []
      const mayAdopt = async (record: QuestionRecord): Promise<boolean> => {
        offered.push(record)
        return false
      }
      const record = openRecord('t1', { nonce: 'another' })
      const asking = runner()
      expect(await asking.open(record, { mayAdopt })).toMatchObject(record)
      expect(offered).toEqual([found])
      expect((await host().read('t1')).record).toMatchObject(record)
      expect(await asking.settle('t1', receipt())).toMatchObject({ nonce: 'another' })
      await asking.open(openRecord('t2'), { mayAdopt })
      expect(offered).toHaveLength(1)
    })

    it('refuses other questions under a tool call id that is taken', async () => {
      const { runner, host } = await connect()
      const first = await runner().open(openRecord('t1'))
      const others = [
        openRecord('t1', { questions: [{ id: 'q1', question: 'Another one?' }] }),
        openRecord('t1', { kind: 'approval' }),
      ]
      for (const other of others)
        await expect(runner().open(other)).rejects.toMatchObject({ code: 'CONFLICT' })
      expect((await host().read('t1')).record).toEqual(first)
    })

    it('keeps a permission to the one tool call that it was asked for', async () => {
      const { runner, host } = await connect()
      const answerFile = (input: unknown) =>
        openRecord('t1', { kind: 'approval', subject: { toolName: 'Bash', input } })
      const first = await runner().open(answerFile({ command: 'ls' }))
      expect(await runner().open(answerFile({ command: 'ls' }))).toEqual(first)
      await expect(runner().open(answerFile({ command: 'rm -r .' }))).rejects.toMatchObject({
        code: 'CONFLICT',
      })
      expect((await host().read('t1')).record).toEqual(first)
    })

    it('refuses a question that no reader would take, and records none of it', async () => {
      const { runner, host } = await connect()
      const input = { content: 'x'.repeat(2 * 1024 * 1024) }
      const tooLarge = openRecord('t1', { kind: 'approval', subject: { toolName: 'Write', input } })
      await expect(runner().open(tooLarge)).rejects.toMatchObject({ code: 'TOO_LARGE' })
      expect(await host().questions()).toEqual([])
    })

    it('lets two runners that ask the same at once agree on one record', async () => {
      const { runner } = await connect()
      const opened = await Promise.all(
        Array.from({ length: 8 }, (_, n) => runner().open(openRecord('t1', { nonce: `n${n}` }))),
      )
      expect(new Set(opened.map(({ nonce }) => nonce)).size).toBe(1)
    })

    it('shows the host a question that is closing, which can still be settled', async () => {
      const { runner, host } = await connect()
      const asking = runner()
      const asked = await asking.open(openRecord('t1'))
      const closing = await asking.close('t1', 'timed-out')
      expect(closing).toEqual({ ...asked, state: 'closing', closingFor: 'timed-out' })
      expect((await host().read('t1')).record).toEqual(closing)
      expect(await asking.close('t1', 'aborted')).toEqual(closing)
      const timedOut = receipt({ state: 'timed-out', responses: {} })
      const settled = await asking.settle('t1', timedOut)
      expect(settled).toEqual({ ...asked, ...timedOut })
      expect((await host().read('t1')).record).toEqual(settled)
      await expect(asking.close('t1', 'aborted')).rejects.toMatchObject({ code: 'CONFLICT' })
      await expect(asking.close('unknown', 'aborted')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    })

    it('gives a restarted runner the question that is closing', async () => {
      const { runner, host } = await connect()
      const asking = runner()
      await asking.open(openRecord('t1'))
      const closing = await asking.close('t1', 'aborted')
      const again = runner()
      const adopted = { ...closing, runId: 'run-2' }
      expect(await again.open(openRecord('t1', { nonce: 'another', runId: 'run-2' }))).toEqual(adopted)
      expect((await host().read('t1')).record).toEqual(adopted)
      expect(await again.settle('t1', receipt())).toMatchObject({ state: 'answered', runId: 'run-2' })
    })

    it('replaces a receipt by a later one', async () => {
      const { runner, host } = await connect()
      const asking = runner()
      await asking.open(openRecord('t1'))
      await asking.settle('t1', receipt({ state: 'timed-out', responses: {} }))
      await asking.settle('t1', receipt())
      expect((await host().read('t1')).record).toMatchObject(receipt())
    })
  })

  describe(`${name}: answers`, () => {
    it('gives an answer that came before the wait, and before the question', async () => {
      const { runner, host } = await connect()
      const answerFile = approvalFor('t1', { status: 'completed' })
      await host().write(answerFile, { expectedRevision: 0 })
      const asking = runner()
      await asking.open(openRecord('t1'))
      expect(await asking.read('t1')).toEqual(answerFile)
      expect(await firstOf(asking, 't1')).toEqual(answerFile)
    })

    it('passes over an answer that names no asking and was stored before the question', async () => {
      const { runner, host } = await connect()
      const { nonce: _, ...unbound } = approvalFor('t1', { status: 'completed' })
      await host().write(unbound, { expectedRevision: 0 })
      const asking = runner()
      const record = await asking.open(openRecord('t1'))
      expect(await host().read('t1')).toEqual({ toolCallId: 't1', record })
      const later = approvalFor('t1', { status: 'completed', answeredBy: 'somebody' })
      await host().write(later, { expectedRevision: 0 })
      expect(await asking.read('t1')).toEqual(later)
      expect(await firstOf(asking, 't1')).toEqual(later)
    })

    it('gives an answer that comes during the wait', async () => {
      const { runner, host } = await connect()
      const asking = runner()
      await asking.open(openRecord('t1'))
      const answer = firstOf(asking, 't1')
      const answerFile = approvalFor('t1', { status: 'completed', answeredBy: 'somebody' })
      await host().write(answerFile, { expectedRevision: 0 })
      expect(await answer).toEqual(answerFile)
    })

    it('gives drafts in order, none twice, and the final answer last', async () => {
      const { runner, host } = await connect()
      const asking = runner()
      await asking.open(openRecord('t1'))
      const seen: number[] = []
      const writing = (async () => {
        for (let revision = 1; revision <= 10; revision++) {
          const status = revision === 10 ? 'completed' : 'pending'
          await host().write(approvalFor('t1', { revision, status }), { expectedRevision: revision - 1 })
          await vi.waitFor(() => expect(seen.at(-1)).toBe(revision))
        }
      })()
      const answers = asking.subscribe('t1')
      onTestFinished(() => answers.close())
      for (let found = await answers.next(); found; found = await answers.next()) {
        seen.push(found.revision ?? 0)
        if (found.status === 'completed') break
      }
      await writing
      expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    })

    it('gives each of many waiters its own answer', async () => {
      const { runner, host } = await connect()
      const asking = runner()
      const answering = host()
      const ids = Array.from({ length: 100 }, (_, n) => `t${n}`)
      const answers = ids.map((id) => firstOf(asking, id))
      for (const id of ids)
        await answering.write(approvalFor(id, { status: 'completed' }), { expectedRevision: 0 })
      expect((await Promise.all(answers)).map((answer) => answer?.toolCallId)).toEqual(ids)
    })

    it('ends a wait when the subscription is closed, before it and during it', async () => {
      const { runner } = await connect()
      const answers = runner().subscribe('t1')
      const awaited = answers.next()
      setImmediate(() => answers.close())
      expect(await awaited).toBeNull()
      expect(await answers.next()).toBeNull()
    })
  })

  describe(`${name}: writing`, () => {
    it('never changes a final answer, whatever is written after it', async () => {
      for (const status of ['completed', 'declined'] as const) {
        const { runner, host } = await connect()
        const first = approvalFor('t1', { status, answeredBy: 'first' })
        await host().write(first, { expectedRevision: 0 })
        const conflict = {
          code: 'CONFLICT',
          facts: { answeredBy: 'first', timestamp: first.timestamp, status },
        }
        for (const later of ['pending', 'completed', 'declined'] as const)
          for (const expectedRevision of [0, 1])
            await expect(
              host().write(approvalFor('t1', { status: later, revision: 2 }), { expectedRevision }),
            ).rejects.toMatchObject(conflict)
        expect((await host().read('t1')).answerFile).toEqual(first)
        expect(await runner().read('t1')).toEqual(first)
      }
    })

    it('asks for a new answer when a question is asked again under a used id', async () => {
      const { runner, host } = await connect()
      await host().write(approvalFor('t1', { status: 'completed', nonce: 'earlier' }), {
        expectedRevision: 0,
      })
      const asking = runner()
      const record = await asking.open(openRecord('t1'))
      expect(await host().read('t1')).toEqual({ toolCallId: 't1', record })
      const answer = approvalFor('t1', { status: 'completed' })
      await host().write(answer, { expectedRevision: 0 })
      expect((await host().read('t1')).answerFile).toEqual(answer)
      expect(await asking.read('t1')).toEqual(answer)
    })

    it('refuses a draft that was made from an older one', async () => {
      const { host } = await connect()
      await host().write(approvalFor('t1'), { expectedRevision: 0 })
      await expect(host().write(approvalFor('t1'), { expectedRevision: 0 })).rejects.toMatchObject({
        code: 'CONFLICT',
        facts: { status: 'pending' },
      })
      const second = approvalFor('t1', { revision: 2 })
      await host().write(second, { expectedRevision: 1 })
      expect((await host().read('t1')).answerFile).toEqual(second)
    })

    it('lets exactly one of many hosts complete a question, and all see that one', async () => {
      const { runner, host } = await connect()
      const writes = Array.from({ length: 10 }, (_, n) =>
        host().write(approvalFor('t1', { status: n % 2 ? 'completed' : 'declined', answeredBy: `${n}` }), {
          expectedRevision: 0,
        }),
      )
      const results = await Promise.allSettled(writes)
      const winners = results.flatMap(({ status }, n) => (status === 'fulfilled' ? [`${n}`] : []))
      expect(winners).toHaveLength(1)
      expect((await host().read('t1')).answerFile?.answeredBy).toBe(winners[0])
      expect((await runner().read('t1'))?.answeredBy).toBe(winners[0])
    })

    it('lets exactly one of many drafts from the same state through', async () => {
      const { host } = await connect()
      const sharing = host()
      const results = await Promise.allSettled(
        Array.from({ length: 10 }, () => sharing.write(approvalFor('t1'), { expectedRevision: 0 })),
      )
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })

    it('refuses an answer that is too long, and keeps what was there', async () => {
      const { host } = await connect()
      const first = approvalFor('t1')
      await host().write(first, { expectedRevision: 0 })
      const long = approvalFor('t1', { revision: 2, reason: 'x'.repeat(2 ** 20) })
      await expect(host().write(long, { expectedRevision: 1 })).rejects.toMatchObject({ code: 'TOO_LARGE' })
      expect((await host().read('t1')).answerFile).toEqual(first)
    })
  })

  describe(`${name}: changes`, () => {
    it('begins with what is there, then tells each step of a question', async () => {
      const { runner, host } = await connect()
      const asking = runner()
      await asking.open(openRecord('t1'))
      await withChanges(host(), async (changed) => {
        await changed(({ record, answerFile }) => record?.state === 'open' && !answerFile)
        await host().write(approvalFor('t1'), { expectedRevision: 0 })
        await changed(({ answerFile }) => answerFile?.status === 'pending')
        await host().write(approvalFor('t1', { revision: 2, status: 'completed' }), { expectedRevision: 1 })
        await changed(({ answerFile }) => answerFile?.status === 'completed')
        await asking.settle('t1', receipt())
        await changed(({ record }) => record?.state === 'answered')
      })
    })

    it('tells of a question asked later, and of an answer to one that is not recorded', async () => {
      const { runner, host } = await connect()
      await withChanges(host(), async (changed) => {
        await runner().open(openRecord('t1'))
        await changed(({ toolCallId, record }) => toolCallId === 't1' && record !== undefined)
        await host().write(approvalFor('t2'), { expectedRevision: 0 })
        await changed(
          ({ toolCallId, record, answerFile }) => toolCallId === 't2' && !record && answerFile !== undefined,
        )
      })
    })

    it('tells nothing twice, and of one question alone when asked to', async () => {
      const { runner, host } = await connect()
      for (const id of ['t1', 't2']) await runner().open(openRecord(id))
      await withChanges(
        host(),
        async (changed, all) => {
          await changed(({ toolCallId }) => toolCallId === 't2')
          for (const id of ['t1', 't2']) await host().write(approvalFor(id), { expectedRevision: 0 })
          await changed(({ answerFile }) => answerFile !== undefined)
          expect(all.map(({ toolCallId }) => toolCallId)).toEqual(['t2', 't2'])
          expect(new Set(all.map((state) => JSON.stringify(state))).size).toBe(2)
        },
        't2',
      )
    })

    it('ends when the signal aborts or the iterator is returned', async () => {
      const { host } = await connect()
      const stop = new AbortController()
      const changes = host().subscribe(stop.signal)[Symbol.asyncIterator]()
      const awaited = changes.next()
      await changes.return?.()
      expect(await awaited).toMatchObject({ done: true })

      const others = host().subscribe(stop.signal)[Symbol.asyncIterator]()
      const other = others.next()
      stop.abort()
      expect(await other).toMatchObject({ done: true })
      expect(getEventListeners(stop.signal, 'abort')).toEqual([])
    })
  })
}

/** The first answer of a wait. */
async function firstOf(channel: RunnerChannel, toolCallId: string): Promise<AnswerFile | null> {
  const answers = channel.subscribe(toolCallId)
  try {
    return await answers.next()
  } finally {
    answers.close()
  }
}

/** Follows changes while `use` runs; `changed` waits for a state among those that came so far or will. */
async function withChanges(
  channel: HostChannel,
  use: (
    changed: (isSo: (state: QuestionState) => boolean) => Promise<void>,
    all: QuestionState[],
  ) => Promise<void>,
  toolCallId?: string,
): Promise<void> {
  const stop = new AbortController()
  const all: QuestionState[] = []
  const following = (async () => {
    for await (const state of channel.subscribe(stop.signal, toolCallId)) all.push(state)
  })()
  try {
    await use((isSo) => vi.waitFor(() => expect(all.some(isSo)).toBe(true)), all)
  } finally {
    stop.abort()
    await following
  }
}
