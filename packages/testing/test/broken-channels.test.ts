import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HostChannel, RunnerChannel } from '@sandagent/core'
import { createFileHostChannel, createFileRunnerChannel, createLocalFiles } from '@sandagent/files'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ChannelEnds, channelContract } from '../src/index.ts'

interface Broken {
  runner?: (channel: RunnerChannel) => Partial<RunnerChannel>
  host?: (channel: HostChannel) => Partial<HostChannel>
  foundBy: string
}

/** Channels with one fault each, and a case of the contract that must find it. */
const BROKEN: Record<string, Broken> = {
  'does not look before it watches': {
    runner: ({ read, subscribe }) => ({
      subscribe(id, options) {
        const before = read(id, options).then((answerFile) => JSON.stringify(answerFile))
        const answers = subscribe(id, options)
        const later = async () => {
          const found = await answers.next()
          return JSON.stringify(found) === (await before) ? null : found
        }
        return { next: later, close: () => answers.close() }
      },
    }),
    foundBy: 'a runner gets an answer that came before the wait, and before the question',
  },
  'asks again after a restart': {
    runner: ({ open }) => ({ open: (record) => open(record, { mayAdopt: async () => false }) }),
    foundBy: 'a restarted runner gets the question that is open, and not a new one',
  },
  'does not record that a question closes': {
    runner: ({ close }) => ({
      close: async (id, closingFor) =>
        id === 'unknown' ? close(id, closingFor) : ({ state: 'closing', closingFor } as never),
    }),
    foundBy: 'a host sees a question that is closing, which can still be settled',
  },
  'delivers what was not accepted': {
    runner: ({ read }) => ({ read: (id) => read(id) }),
    foundBy: 'a signed answer arrives with its signature, and is the one that counts',
  },
  'tells everybody that their answer was stored': {
    host: ({ read, write }) => ({
      write: (answerFile, options) =>
        write(answerFile, options).catch(async () => (await read(answerFile.toolCallId)).record),
    }),
    foundBy: 'exactly one of many hosts completes a question, and all see that one',
  },
  'ignores the expected revision': {
    host: ({ read, write }) => ({
      async write(answerFile, options) {
        const { answerFile: found } = await read(answerFile.toolCallId)
        return write(answerFile, { ...options, expectedRevision: found?.revision ?? 0 })
      },
    }),
    foundBy: 'a draft that was made from an older one is a CONFLICT',
  },
  'ignores the expected record': {
    host: ({ write }) => ({
      write: (answerFile, { expectedRevision }) => write(answerFile, { expectedRevision }),
    }),
    foundBy: 'a write is a CONFLICT when another question has taken the place of the expected one',
  },
  'mixes up states': {
    host: ({ states }) => ({ states: async (records) => (await states(records)).toReversed() }),
    foundBy: 'states of listed records come in their order, with drafts and answers',
  },
  'reports changes twice': {
    host: ({ subscribe }) => ({
      async *subscribe(signal, id) {
        for await (const state of subscribe(signal, id)) yield* [state, state]
      },
    }),
    foundBy: 'a subscription reports nothing twice, and one question alone when asked to',
  },
  'reports only what was there at first': {
    host: ({ questions, read }) => ({
      async *subscribe() {
        for (const { toolCallId } of await questions()) yield read(toolCallId)
      },
    }),
    foundBy: 'a subscription begins with what is there, and then reports each step of a question',
  },
}

describe('the contract finds a channel that', () => {
  it.each(Object.entries(BROKEN))('%s', async (_, { runner, host, foundBy }) => {
    const folders: string[] = []
    const makeChannel = async (): Promise<ChannelEnds> => {
      const workdir = await mkdtemp(join(tmpdir(), 'sandagent-test-'))
      folders.push(workdir)
      return {
        runner() {
          const channel = createFileRunnerChannel({ workdir })
          return { ...channel, ...runner?.(channel) }
        },
        host() {
          const channel = createFileHostChannel({ files: createLocalFiles(workdir) })
          return { ...channel, ...host?.(channel) }
        },
      }
    }
    const remove = () => Promise.all(folders.map((path) => rm(path, { recursive: true }))).then(() => {})
    const found = channelContract(makeChannel, { remove }).find(({ name }) => name === foundBy)
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
