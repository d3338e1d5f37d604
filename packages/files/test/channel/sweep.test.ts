import { lutimes, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Receipt } from '@sandagent/core'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createFakeClock } from '@sandagent/testing'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createFileHostChannel, createFileRunnerChannel, createLocalFiles } from '../../src/internal.ts'
import { answerFileFor, openRecord } from '../records.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const receipt: Receipt = {
  state: 'answered',
  settledAt: '2026-01-01T00:00:02.000Z',
  responses: { q1: { selected: ['A'], source: 'human' } },
  revision: 1,
}

/** A workdir whose two sides sweep at every write: the clock goes on for two hours before each. */
async function swept(sweepAfterMs?: number | false) {
  const workdir = await tempDir()
  const clock = { ...createFakeClock(), now: () => Date.now() + hours * 60 * 60 * 1000 }
  let hours = 0
  const options = { sweepAfterMs, clock }
  const newRunner = () => createFileRunnerChannel({ workdir, ...options })
  const runner = newRunner()
  const host = createFileHostChannel({ files: createLocalFiles(workdir), ...options })
  const folder = (name: string): string => join(workdir, '.sandagent', name)
  const namesIn = async (name: string): Promise<string[]> =>
    (await readdir(folder(name))).filter((entry) => !entry.endsWith('.tmp')).sort()
  const ask = async (id: string, by = runner) => {
    hours += 2
    return by.open({ ...openRecord(id), nonce: `nonce ${hours}` })
  }
  const answer = async (id: string) => {
    hours += 2
    const { record } = await host.read(id)
    await host.write(answerFileFor(id, record && { nonce: record.nonce }), { expectedRevision: 0 })
  }
  return {
    workdir,
    runner,
    newRunner,
    host,
    folder,
    namesIn,
    ask,
    answer,
    /** A question that was asked, answered and settled. */
    async settled(id: string) {
      await ask(id)
      await answer(id)
      await runner.settle(id, receipt)
    },
    /** Makes the files that are about these questions older. */
    async age(days: number, ids = /./) {
      const time = Date.now() / 1000 - (days * DAY_MS) / 1000
      // It may be swept at this moment.
      for (const path of ['questions', 'approvals'].map(folder))
        for (const entry of await readdir(path).catch(() => []))
          if (ids.test(entry)) await lutimes(join(path, entry), time, time).catch(() => {})
    },
  }
}

describe('old files', () => {
  it('of settled questions go, first the question, then its answer; what waits and what is young stays', async () => {
    const { ask, answer, settled, age, namesIn } = await swept()
    for (const id of ['old', 'young']) await settled(id)
    await ask('open')
    await age(8, /old|open/)
    await ask('next-1')
    await vi.waitFor(async () =>
      expect(await namesIn('questions')).toEqual(['next-1.json', 'open.json', 'young.json']),
    )
    await answer('next-1')
    await vi.waitFor(async () =>
      expect(await namesIn('approvals')).toEqual([
        '.next-1.final',
        '.young.final',
        'next-1.json',
        'young.json',
      ]),
    )
  })

  it('stay as long as their question does: its receipt is believed only with its answer', async () => {
    const { settled, ask, answer, age, namesIn, newRunner } = await swept()
    await settled('a')
    await age(8, /a\.final|approvals/)
    await ask('b')
    await answer('b')
    expect(await namesIn('approvals')).toContain('.a.final')
    expect(await ask('a', newRunner())).toMatchObject({ state: 'answered' })
  })

  it('that nobody understands stay, and so does the question of an older runner', async () => {
    const { ask, answer, age, folder, namesIn } = await swept()
    await ask('a')
    await writeFile(join(folder('questions'), 'torn.json'), '{')
    const older = { questions: [{ question: 'Which?', options: [] }], answers: {}, status: 'pending' }
    await writeFile(join(folder('approvals'), 'older.json'), JSON.stringify({ ...older, toolName: 'ask' }))
    await writeFile(join(folder('approvals'), 'notes.txt'), '')
    await age(30)
    await ask('b')
    await answer('b')
    await ask('c')
    expect(await namesIn('questions')).toEqual(['a.json', 'b.json', 'c.json', 'torn.json'])
    expect(await namesIn('approvals')).toEqual(['.b.final', 'b.json', 'notes.txt', 'older.json'])
  })

  it('all stay with `false`, and no other option is no time', async () => {
    const { settled, ask, age, namesIn } = await swept(false)
    await settled('old')
    await age(1000)
    await ask('next')
    expect(await namesIn('questions')).toEqual(['next.json', 'old.json'])
    expect(() => createFileRunnerChannel({ workdir: '.', sweepAfterMs: -1 })).toThrow('no time')
  })
})

it('sweeping beside any asking, answering and restarting loses no question and asks no settled one again', async () => {
  const ids = fc.constantFrom('a', 'b', 'c')
  const act = fc.record({ kind: fc.constantFrom('ask', 'answer', 'settle', 'age', 'restart'), id: ids })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(act, { minLength: 1, maxLength: 3 }), { maxLength: 12 }),
      async (steps) => {
        const { ask, answer, age, newRunner, host } = await swept()
        let runner = newRunner()
        /** What each question has come to, and whether its files are old. */
        const known = new Map<
          string,
          { state: 'open' | 'answered' | 'settled'; isOld: boolean; nonce: string }
        >()
        for (const acts of steps) {
          const isOnce = new Set<string>()
          await Promise.all(
            acts.map(async ({ kind, id }) => {
              if (isOnce.has(id)) return
              isOnce.add(id)
              const question = known.get(id)
              if (kind === 'age') {
                await age(8, new RegExp(`^\\.?${id}\\b`))
                if (question) question.isOld = true
              }
              if (kind === 'restart') runner = newRunner()
              if (kind === 'ask') {
                const { state, nonce } = await ask(id, runner)
                const isSame = question && (question.state !== 'settled' || !question.isOld)
                if (isSame) expect(nonce).toBe(question.nonce)
                if (nonce !== question?.nonce) known.set(id, { state: 'open', isOld: false, nonce })
                else expect(state === 'answered').toBe(question.state === 'settled')
              }
              if (kind === 'answer' && question?.state === 'open') {
                await answer(id)
                question.state = 'answered'
              }
              if (kind === 'settle' && question?.state === 'answered') {
                await ask(id, runner)
                expect(await runner.read(id)).toMatchObject({ status: 'completed' })
                await runner.settle(id, receipt)
                Object.assign(question, { state: 'settled', isOld: false })
              }
            }),
          )
          for (const [id, { state, isOld }] of known) {
            if (state === 'settled' && isOld) continue
            const { record, answerFile } = await host.read(id)
            expect(record?.state).toBe(state === 'settled' ? 'answered' : 'open')
            if (state !== 'open') expect(answerFile).toMatchObject({ status: 'completed' })
          }
        }
      },
    ),
    { numRuns: 30 },
  )
})
