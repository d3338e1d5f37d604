import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { sealLine } from '../../src/audit/audit-line.ts'
import { checkFile } from '../../src/audit/check-file.ts'
import type { Decision } from '../../src/audit/index.ts'

const at = '2026-01-31T09:30:15.123Z'
const OPENED = { at, action: 'opened', after: {} } as const
const DECISION: Decision = { at, action: 'answer', toolCallId: 'call', outcome: 'OK' }

/** Lines that follow each other, as their texts, and their hashes. */
function chain(...contents: (Decision | object)[]): { texts: string[]; hashes: string[] } {
  let previous = ''
  const lines = contents.map((content, index) => {
    const line = sealLine({ seq: index + 1, previous }, content as Decision)
    previous = line.hash
    return line
  })
  return { texts: lines.map(({ text }) => text), hashes: lines.map(({ hash }) => hash) }
}

async function checked(text: string) {
  const file = join(await tempDir(), 'audit')
  writeFileSync(file, text)
  const hashes: string[] = []
  return { file, hashes, ...(await checkFile(file, (hash) => hashes.push(hash))) }
}

const ended = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

it('a whole file has its decisions, its last hash and no faults', async () => {
  const { texts, hashes } = chain(OPENED, DECISION, DECISION)
  const result = await checked(ended(texts))
  expect(result).toMatchObject({ decisions: 2, last: hashes[2], faults: [], notes: [], hashes })
})

it('a file that was begun anew names no decisions but those that could not be written', async () => {
  const { texts } = chain({ ...OPENED, missed: 3 })
  const result = await checked(ended(texts))
  expect(result).toMatchObject({ decisions: 0, faults: [] })
  expect(result.notes).toEqual([`${result.file}: 3 decisions before could not be written.`])
})

it('an empty file misses all its lines', async () => {
  const result = await checked('')
  expect(result).toMatchObject({ decisions: 0, last: '', notes: [] })
  expect(result.faults).toEqual([{ file: result.file, line: 0, kind: 'missing', text: 'The file is empty.' }])
})

it('a cut last line is a note, and the lines before count', async () => {
  const { texts, hashes } = chain(OPENED, DECISION, DECISION)
  const result = await checked(ended(texts).slice(0, -1))
  expect(result).toMatchObject({ decisions: 1, last: hashes[1], faults: [], hashes: hashes.slice(0, 2) })
  expect(result.notes).toEqual([
    `${result.file} ends in the middle of line 3: the process or the machine stopped there.`,
  ])
})

const { texts: WHOLE } = chain(OPENED, DECISION, DECISION, DECISION)
const [first = '', second = '', third = ''] = WHOLE
const after = sealLine({ seq: 2, previous: 'other' }, DECISION).text
const moved = sealLine({ seq: 3, previous: chain(OPENED).hashes[0] ?? '' }, DECISION).text
const long = chain(OPENED, { ...DECISION, reason: 'x'.repeat(1_200_000) }).texts[1] ?? ''

it.each([
  ['a foreign line', [first, '{"seq":2}'], 2, 'unreadable', 'is no line of an audit log'],
  ['a line without text', ['', first], 1, 'unreadable', 'is no line of an audit log'],
  ['a changed line', [first, second.replace('OK', 'NO')], 2, 'changed', 'its text does not fit its hash'],
  ['a longer line than any', [first, long], 2, 'changed', 'its text does not fit its hash'],
  ['a line that follows another one', [first, after], 2, 'broken', 'does not follow the line above'],
  ['a line with another place', [first, moved], 2, 'broken', 'does not follow the line above'],
  ['a beginning that was removed', [second, third], 1, 'broken', 'does not follow the line above'],
])('%s is a fault', async (_, lines, line, kind, text) => {
  const result = await checked(ended(lines))
  expect(result.notes).toEqual([])
  expect(result.faults).toEqual([{ file: result.file, line, kind, text: expect.stringContaining(text) }])
  expect(result.faults[0]?.text).toMatch(new RegExp(`^Line ${line} `))
})

it('the lines behind a fault are checked, too', async () => {
  const { texts, hashes } = chain(OPENED, DECISION, DECISION)
  const result = await checked(ended(['x', ...texts.with(1, `${texts[1]?.replace('OK', 'NO')}`), 'y']))
  expect(result.faults.map(({ line, kind }) => [line, kind])).toEqual([
    [1, 'unreadable'],
    [3, 'changed'],
    [5, 'unreadable'],
  ])
  expect(result).toMatchObject({ decisions: 2, last: hashes[2], hashes })
})
