import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  AskError,
  type DetachedProgram,
  LocalSandbox,
  type RunSandbox,
  startRun,
  submitAnswer,
} from '@sandagent/sdk'
import { expect, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'

/** What keeps an agent from answering itself. */
export type Level = 'strict' | 'signature' | 'strict and signature'

/** What an agent read of an answer. */
interface Read {
  id: string
  kind: string
  answer?: string
}

/** A folder in which an agent attacks, beside another one that it must not change. */
export interface Battlefield {
  sandbox: LocalSandbox
  outside: string
  start(run: { runId: string; attack?: string; other?: string; replay?: unknown }): Promise<DetachedProgram>
  /** What the agent of a run has read so far. */
  reads(runId: string): Promise<Read[]>
  /** Resolves to what it read of a question, once it did. */
  heard(runId: string, id: string): Promise<Read>
  /** Resolves once the runner of a run has said this of what it met. */
  complained(runId: string, words: string): Promise<void>
  /** Answers a question as a person does, once it is asked; `false` when the host refuses. */
  answer(runId: string, id: 'colour' | 'second', text: string): Promise<boolean>
}

const attacker = join(root, 'test/red-team/attacker')
const QUESTIONS = { colour: 'Which colour?', second: 'Did it work?' }

export async function battlefield(level: Level): Promise<Battlefield> {
  const folder = await mkdtemp(join(tmpdir(), 'sandagent-red-'))
  const outside = join(folder, 'outside')
  await mkdir(outside)
  await writeFile(join(outside, 'victim'), 'untouched')
  const sandbox = new LocalSandbox({
    workdir: join(folder, 'workdir'),
    isolation: level === 'signature' ? 'none' : 'strict',
    readable: [attacker],
    onIsolation: () => {},
  })
  const keys = level === 'strict' ? { signingKeys: null } : {}
  const programs: DetachedProgram[] = []
  // An agent may change what is recorded of its run, so what was started is remembered here.
  const remembering: RunSandbox = {
    workdir: sandbox.workdir,
    files: sandbox.files,
    spawn: (...program) => sandbox.spawn(...program),
    detached: {
      ...sandbox.detached,
      async start(...program) {
        const started = await sandbox.detached.start(...program)
        programs.push(started)
        return started
      },
    },
  }
  onTestFinished(async () => {
    for (const { handle, ended } of programs) {
      await sandbox.detached.kill(handle)
      await ended
    }
    await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 50 })
  })

  const reads = async (runId: string): Promise<Read[]> => {
    const texts = await logsBelow(sandbox.workdir)
    const lines = texts.join('').matchAll(/"delta":("READ (?:[^"\\]|\\.)*")/g)
    const read = Array.from(lines, ([, text]) => JSON.parse(JSON.parse(text as string).slice(5, -2)))
    return read.filter((entry) => entry.runId === runId).map(({ runId: _, ...entry }) => entry)
  }

  return {
    sandbox,
    outside,
    reads,
    async start({ runId, attack, ...known }) {
      await startRun(
        remembering,
        {
          runId,
          agent: 'command',
          args: ['--', process.execPath, join(attacker, 'main.mjs')],
          prompt: JSON.stringify({ attack, runId, outside, other: outside, ...known }),
          runner: [process.execPath, join(root, 'packages/cli/dist/main.js')],
        },
        { ...keys, onError: () => {} }, // The host may find its folders replaced, and says so.
      )
      return programs.at(-1) as DetachedProgram
    },
    heard: (runId, id) =>
      vi.waitFor(async () => {
        const found = (await reads(runId)).find((read) => read.id === id)
        expect(found).toBeDefined()
        return found as Read
      }),
    complained: (runId, words) =>
      vi.waitFor(async () =>
        expect(await sandbox.files.read(`.sandagent/runs/${runId}/1/stderr.log`)).toContain(words),
      ),
    async answer(runId, id, text) {
      const answer = { toolCallId: `${runId}-${id}`, answers: { [QUESTIONS[id]]: text } }
      const options = { answeredBy: 'person', needsRecord: true, ...keys }
      const store = async (): Promise<boolean> => {
        try {
          await submitAnswer(sandbox, { ...answer, status: 'completed' }, options)
          return true
        } catch (error) {
          if (!(error instanceof AskError) || isNotAskedYet(error)) throw error
          return false
        }
      }
      // An agent may have moved its folder away for good; the host then refuses, too.
      return vi.waitFor(store).catch((error: unknown) => {
        if (error instanceof AskError && error.code === 'UNREACHABLE') return false
        throw error
      })
    },
  }
}

/** The content of every log in a folder and below, wherever the agent has moved it. */
async function logsBelow(folder: string): Promise<string[]> {
  // The agent may move a folder or a log between the listing and the reading. Its place is then empty.
  const unlessMoved = <T>(reading: Promise<T[]>): Promise<T[]> =>
    reading.catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
      throw error
    })
  const entries = await unlessMoved(readdir(folder, { withFileTypes: true }))
  const texts = entries.map((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return logsBelow(path)
    return entry.name === 'stream.sse' ? unlessMoved(readFile(path, 'utf8').then((text) => [text])) : []
  })
  return (await Promise.all(texts)).flat()
}

/** Before the first question of a folder is asked, the host cannot tell it from one that is out of reach. */
const isNotAskedYet = ({ code, message }: AskError): boolean =>
  code === 'NOT_FOUND' ||
  (code === 'UNREACHABLE' && message.startsWith('This host does not know the question'))
