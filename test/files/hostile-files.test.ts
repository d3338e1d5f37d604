import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { openRecord } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'

const HOST = fileURLToPath(new URL('../support/programs/hostile-host.mjs', import.meta.url))
const MEMORY_MB = 256
const MOST_CHARS = 1_000_000

const question = { id: 'q1', question: 'Which?' }
const settled = {
  ...openRecord('hostile'),
  state: 'answered',
  settledAt: '2026-01-01T00:00:00.000Z',
}

/** Records that the agent wrote itself, each close to the largest file that is read. */
const RECORDS: Record<string, object> = {
  'an answer under a key of beginnings of terminal strings': {
    ...settled,
    responses: { ['\u009d'.repeat(MOST_CHARS / 2 - 1000)]: 1 },
  },
  'half a million questions that are none': { ...settled, questions: Array(MOST_CHARS / 2 - 1000).fill(0) },
  'half a million options that are none': {
    ...settled,
    questions: [{ ...question, options: Array(MOST_CHARS / 2 - 1000).fill(0) }],
  },
  'half a million choices that are none': {
    ...settled,
    responses: { q1: { selected: Array(MOST_CHARS / 2 - 1000).fill(0) } },
  },
  'a hundred thousand answers that are none': {
    ...settled,
    responses: Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [index, 0])),
  },
}

/** What older writers store beside no record, each made to cost as much as it can. */
const ANSWERS: Record<string, object> = {
  'sixty thousand equal questions': { questions: Array(60_000).fill({ question: 'a' }), answers: {} },
  'a choice among labels that look like separators': {
    questions: [
      { question: 'a', multiSelect: true, options: [{ label: ', '.repeat(60_000) }, { label: 'b' }] },
    ],
    answers: { a: `${', '.repeat(200_000)}x` },
  },
}

describe('a host with 256 MB of memory', () => {
  it.each(Object.entries(RECORDS))('goes on serving beside a question file with %s', async (_, record) => {
    expect(await served(await tempDir(), { 'questions/hostile.json': record })).toMatchObject({
      all: 200,
      questions: 1,
    })
  })

  it.each(Object.entries(ANSWERS))(
    'goes on serving beside an answer file with %s',
    async (_, { ...file }) => {
      const answer = { ...file, status: 'completed', timestamp: '2026-01-01T00:00:00.000Z' }
      expect(await served(await tempDir(), { 'approvals/hostile.json': answer })).toMatchObject({
        all: 200,
        questions: 1,
      })
    },
  )
})

/** What a host answers whose sandbox holds these files beside a harmless question. */
async function served(workdir: string, files: Record<string, object>): Promise<unknown> {
  const harmless = { 'questions/call_1.json': openRecord('call_1') }
  for (const [path, content] of Object.entries({ ...harmless, ...files })) {
    const file = join(workdir, '.sandagent', path)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, JSON.stringify(content))
  }
  const { stdout } = await promisify(execFile)(process.execPath, [
    `--max-old-space-size=${MEMORY_MB}`,
    HOST,
    workdir,
    'hostile',
  ])
  return JSON.parse(stdout)
}
