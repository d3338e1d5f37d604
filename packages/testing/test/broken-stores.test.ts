import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HostQuestions, WatchedQuestions } from '@sandagent/core/store'
import { createFileHostStore, createFileRunnerStore, createLocalFiles } from '@sandagent/files'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type StoreHalves, storeContract } from '../src/index.ts'

interface Broken {
  runner?: (store: WatchedQuestions) => Partial<WatchedQuestions>
  host?: (store: HostQuestions) => Partial<HostQuestions>
  foundBy: string
}

/** Writes whatever is there. */
const overwritten =
  ({ read, writeRecord }: WatchedQuestions): WatchedQuestions['writeRecord'] =>
  async (toolCallId, text, { facts }) => {
    const [found] = await read([toolCallId])
    return writeRecord(toolCallId, text, { expected: found?.record?.version ?? null, facts })
  }

/** Stores with one fault each, and a case of the contract that must find it. */
const BROKEN: Record<string, Broken> = {
  'does not look for an answer that is there already': {
    runner: ({ read }) => ({
      async read(ids, candidates) {
        const found = await read(ids, candidates)
        return found.map((stored) => ({ ...stored, accepted: null }))
      },
    }),
    foundBy: 'a runner gets an answer that came before the wait, and before the question',
  },
  'does not know of records after a restart': {
    runner: (store) => ({
      async read(ids, candidates) {
        const found = await store.read(ids, candidates)
        return found.map((stored) => ({ ...stored, record: null }))
      },
      writeRecord: overwritten(store),
    }),
    foundBy: 'a restarted runner gets the question that is open, and not a new one',
  },
  'does not record that a question closes': {
    runner: ({ writeRecord }) => ({
      async writeRecord(toolCallId, text, options) {
        if (!text.includes('"closing"')) return writeRecord(toolCallId, text, options)
        return { toolCallId, record: { text, version: '' }, answer: null }
      },
    }),
    foundBy: 'a host sees a question that is closing, which can still be settled',
  },
  'writes over a record that it did not read': {
    runner: (store) => ({
      writeRecord: overwritten(store),
    }),
    foundBy: 'a record after another one than the stored one is refused, and changes nothing',
  },
  'delivers what was not accepted': {
    runner: ({ read }) => ({
      read: (ids, candidates) => read(ids, { ...candidates, accept: async (answerFile) => answerFile }),
    }),
    foundBy: 'a signed answer arrives with its signature, and is the one that counts',
  },
  'tells everybody that their answer was stored': {
    host: ({ read, writeAnswer }) => ({
      async writeAnswer(toolCallId, text, options) {
        const stored = await writeAnswer(toolCallId, text, options)
        if (stored) return stored
        const [found] = await read([toolCallId])
        return found ? { ...found, answer: { text, version: '' } } : null
      },
    }),
    foundBy: 'exactly one of many hosts completes a question, and all see that one',
  },
  'ignores the expected answer': {
    host: ({ read, writeAnswer }) => ({
      async writeAnswer(toolCallId, text, options) {
        const [found] = await read([toolCallId])
        return writeAnswer(toolCallId, text, { ...options, expected: found?.answer?.version ?? null })
      },
    }),
    foundBy: 'of two hosts that store a draft after the same one, the second one stores nothing',
  },
  'mixes up questions': {
    host: ({ read }) => ({ read: async (ids, candidates) => (await read(ids, candidates)).toReversed() }),
    foundBy: 'each question is read in its place, also one that is not there',
  },
  'begins each list again': {
    host: ({ list }) => ({ list: ({ after: _, ...options } = {}) => list(options) }),
    foundBy: 'a list goes on behind a question, by its time and then by its id',
  },
  'reports only what changes': {
    host: ({ subscribe }) => ({
      async *subscribe(signal, options) {
        const there = new Set<string>()
        let isFirst = true
        for await (const given of subscribe(signal, options)) {
          const versionsOf = ({ toolCallId, record, answer }: (typeof given)[number]): string =>
            JSON.stringify([toolCallId, record?.version, answer?.version])
          if (isFirst) for (const stored of given) there.add(versionsOf(stored))
          isFirst = false
          yield given.filter((stored) => !there.has(versionsOf(stored)))
        }
      },
    }),
    foundBy: 'a subscription of a host first gives what is there',
  },
  'reports only what was there at first': {
    host: ({ subscribe }) => ({
      async *subscribe(signal, options) {
        for await (const there of subscribe(signal, options)) {
          yield there
          return
        }
      },
    }),
    foundBy: 'a subscription reports a question asked later, and an answer to one that is not recorded',
  },
}

describe('the contract finds a store that', () => {
  it.each(Object.entries(BROKEN))('%s', async (_, { runner, host, foundBy }) => {
    const folders: string[] = []
    const makeStore = async (): Promise<StoreHalves> => {
      const workdir = await mkdtemp(join(tmpdir(), 'sandagent-test-'))
      folders.push(workdir)
      return {
        runner() {
          const store = createFileRunnerStore({ workdir })
          return { ...store, ...runner?.(store) }
        },
        host() {
          const store = createFileHostStore({ files: createLocalFiles(workdir) })
          return { ...store, ...host?.(store) }
        },
      }
    }
    const remove = () => Promise.all(folders.map((path) => rm(path, { recursive: true }))).then(() => {})
    const found = storeContract(makeStore, { remove }).find(({ name }) => name === foundBy)
    // What never comes is given up after few looks.
    let now = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => {
      now += 3000
      return now
    })
    onTestFinished(() => void vi.restoreAllMocks())
    await expect(found?.run()).rejects.toMatchObject({ name: 'AssertionError' })
  })
})
