import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { createFileHostChannel, createFileRunnerChannel, createLocalFiles } from '@sandagent/files'
import { answerFileFor, openRecord } from '@sandagent/testing'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'

const NOTORIOUS = [
  '',
  '.',
  '..',
  '../../x',
  '../approvals/x',
  '/etc/passwd',
  'a/b',
  'a\\b',
  'C:\\x',
  'CON',
  'nul\0byte',
  '\n',
  '.hidden',
  '.t1.final',
  't1.json',
  'hashed-',
  '__proto__',
  'x'.repeat(10_000),
  'ünïcödé 😀',
  '\u202eevil',
  '\ud800',
  '%2e%2e%2f',
  '$(touch x)',
  '-rf',
]

/** Every file below a directory with its content. */
async function snapshot(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(
    await Promise.all(files.map(async (path) => [relative(root, path), await readFile(path, 'utf8')])),
  )
}

/** Asks, drafts, answers and settles under an id; returns what changed on disk around the workdir. */
async function changesBy(toolCallId: string): Promise<string[]> {
  const root = await mkdtemp(join(tmpdir(), 'sandagent-ids-'))
  try {
    const workdir = join(root, 'deep/workdir')
    for (const path of [
      'x',
      'x.json',
      'deep/x.json',
      'deep/workdir/x.json',
      'deep/workdir/.sandagent/x.json',
    ]) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), 'untouched')
    }
    const before = await snapshot(root)

    const runner = createFileRunnerChannel({ workdir })
    const host = createFileHostChannel({ files: createLocalFiles(workdir) })
    expect(await runner.open(openRecord(toolCallId))).toMatchObject(openRecord(toolCallId))
    await host.write(answerFileFor(toolCallId), { expectedRevision: 0 })
    const completed = answerFileFor(toolCallId, { revision: 2, status: 'completed' })
    await host.write(completed, { expectedRevision: 1 })
    const answers = runner.subscribe(toolCallId)
    onTestFinished(() => answers.close())
    expect(await answers.next()).toEqual(completed)
    const record = await runner.settle(toolCallId, {
      state: 'answered',
      settledAt: '2026-01-01T00:00:02.000Z',
      responses: {},
    })
    expect(await host.questions()).toEqual([record])
    expect(await host.read(toolCallId)).toEqual({ toolCallId, record, answerFile: completed })

    const after = await snapshot(root)
    const paths = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...paths].filter((path) => before[path] !== after[path])
  } finally {
    await rm(root, { recursive: true })
  }
}

describe('a hostile tool call id', () => {
  it('works like any other and touches nothing outside its two folders', async () => {
    const id = fc.oneof(
      fc.constantFrom(...NOTORIOUS),
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc
        .array(fc.constantFrom('..', '/', '\\', '.', '\0', 'x', '.json'), { maxLength: 8 })
        .map((parts) => parts.join('')),
    )
    await fc.assert(
      fc.asyncProperty(id, async (toolCallId) => {
        const changes = await changesBy(toolCallId)
        const inside =
          /^deep\/workdir\/\.sandagent\/(\.gitignore|questions\/[^/.][^/]*\.json|approvals\/([^/.][^/]*\.json|\.[^/]+\.final))$/
        expect(changes).toHaveLength(4)
        for (const path of changes) expect(path).toMatch(inside)
      }),
      { numRuns: 80, examples: NOTORIOUS.map((toolCallId): [string] => [toolCallId]) },
    )
  })
})
