import type { SandboxFiles } from '@sandagent/files'
import { expect, it } from 'vitest'
import { createAnswerRegistry } from '../../src/agentrail/index.ts'
import { type AnswerableSandbox, createAnswerHandler, submitAnswer } from '../../src/index.ts'
import { ask, tempSandbox } from '../support/temp-sandbox.ts'

const RECORD = '.sandagent/questions/toolu_1.json'
const ANSWER = '.sandagent/approvals/toolu_1.json'

/** A sandbox with a question, and a log of each read and write of a file. */
async function loggedSandbox(): Promise<{ sandbox: AnswerableSandbox; log: string[] }> {
  const { files } = await askedSandbox()
  const log: string[] = []
  const logged: SandboxFiles = Object.assign(Object.create(files), {
    read: (path: string) => {
      log.push(`read ${path}`)
      return files.read(path)
    },
    writeAtomic: (...args: Parameters<SandboxFiles['writeAtomic']>) => {
      log.push('write')
      return files.writeAtomic(...args)
    },
  })
  return { sandbox: { files: logged }, log }
}

async function askedSandbox() {
  const sandbox = await tempSandbox()
  await ask(sandbox, 'toolu_1')
  return sandbox
}

const answer = {
  toolCallId: 'toolu_1',
  answers: { 'Which language?': 'Python' },
  status: 'completed',
} as const

const ways: [string, (sandbox: AnswerableSandbox) => Promise<unknown>][] = [
  ['submitAnswer', (sandbox) => submitAnswer(sandbox, answer)],
  [
    'the answer handler',
    (sandbox) => {
      const { POST } = createAnswerHandler({ sandbox, authorize: () => true })
      const headers = { 'content-type': 'application/json' }
      return POST(new Request('http://localhost/', { method: 'POST', headers, body: JSON.stringify(answer) }))
    },
  ],
  [
    'the registry of AgentRail',
    (sandbox) => createAnswerRegistry({ sandbox }).respond('run-1', 'Python', { toolCallId: 'toolu_1' }),
  ],
]

it.each(ways)(
  'an answer by %s is loaded once, its record compared when it is written, and confirmed by the record',
  async (_, store) => {
    const { sandbox, log } = await loggedSandbox()
    await store(sandbox)
    const reads = (part: string[], path: string): number =>
      part.filter((line) => line === `read ${path}`).length
    const written = log.indexOf('write')
    const [before, after] = [log.slice(0, written), log.slice(written)]
    expect([RECORD, ANSWER].map((path) => [reads(before, path), reads(after, path)])).toEqual([
      [2, 1],
      [1, 0],
    ])
  },
)
