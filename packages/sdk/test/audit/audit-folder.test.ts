import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import {
  auditFileName,
  auditFiles,
  endsOf,
  headsOf,
  readFolder,
  timeInName,
} from '../../src/audit/audit-folder.ts'
import { sealLine } from '../../src/audit/audit-line.ts'

const nameOf = (random: string, now = Date.parse('2026-01-31T09:30:15.123Z')) => auditFileName(now, random)

/** Lines of a file that names the last lines of these files. */
function linesOf(
  count: number,
  after: object = {},
  more: object = {},
): { texts: string[]; hashes: string[] } {
  const texts: string[] = []
  const hashes: string[] = []
  for (let seq = 1; seq <= count; seq++) {
    const content = { at: '', action: seq === 1 ? 'opened' : 'answer', ...(seq === 1 && { after }), ...more }
    const { text, hash } = sealLine({ seq, previous: hashes.at(-1) ?? '' }, content as never)
    texts.push(text)
    hashes.push(hash)
  }
  return { texts, hashes }
}

async function fileWith(text: string): Promise<string> {
  const path = join(await tempDir(), 'audit')
  writeFileSync(path, text)
  return path
}

it('a file has its time and its random part as its name', () => {
  expect(nameOf('9f86d081')).toBe('audit-20260131T093015123Z-9f86d081.jsonl')
})

it('a name tells when its file was begun', () => {
  const now = Date.parse('2026-01-31T09:30:15.123Z')
  expect(timeInName(nameOf('00000000', now))).toBe(now)
  expect(timeInName('audit-20269931T093015123Z-00000000.jsonl')).toBe(0)
})

it('the files of a log are listed by time, without others', async () => {
  const folder = await tempDir()
  const names = [nameOf('0000000a'), nameOf('00000000', Date.parse('2026-02-01')), nameOf('00000001', 0)]
  for (const name of [...names, 'x', `${names[0]}.old`, `x${names[0]}`]) writeFileSync(join(folder, name), '')
  mkdirSync(join(folder, 'audit'))
  expect(auditFiles(folder)).toEqual([names[2], names[0], names[1]])
})

describe('the ends of a file', () => {
  const { texts, hashes } = linesOf(3)
  const seqs = async (text: string) => {
    const { first, last } = endsOf(await fileWith(text))
    return [first?.seq, last?.seq]
  }

  it('are its first and its last line', async () => {
    const { first, last } = endsOf(await fileWith(`${texts.join('\n')}\n`))
    expect(first).toEqual({ seq: 1, previous: '', hash: hashes[0], content: expect.anything() })
    expect(last).toEqual({ seq: 3, previous: hashes[1], hash: hashes[2], content: expect.anything() })
  })

  it.each([
    ['an empty file', '', [undefined, undefined]],
    ['one line', `${texts[0]}\n`, [1, 1]],
    ['a line that was cut', texts[0]?.slice(0, -1), [undefined, undefined]],
    ['a line without its end', texts[0], [undefined, undefined]],
    ['a line with more behind it', `${texts[0]}x`, [undefined, undefined]],
    ['a last line that was cut', `${texts[0]}\n${texts[1]}\n${texts[2]?.slice(0, 9)}`, [1, 2]],
    ['a changed first line', `${texts[0]?.replace('opened', 'Opened')}\n${texts[1]}\n`, [undefined, 2]],
    ['a changed last line', `${texts[0]}\n${texts[1]?.replace('answer', 'Answer')}\n`, [1, undefined]],
    ['foreign lines', 'x\ny\n', [undefined, undefined]],
    ['a line without text at the end', `${texts[0]}\n\n`, [1, undefined]],
    ['a line without text at the beginning', `\n${texts[0]}\n`, [undefined, 1]],
    ['a line without text alone', '\n', [undefined, undefined]],
  ])('are found in %s', async (_, text, expected) => expect(await seqs(`${text}`)).toEqual(expected))

  it('are found in a long file', async () => {
    for (const count of [1000, 2000, 5000, 40_000]) {
      const lines = linesOf(9, {}, { reason: 'ä'.repeat(count) }).texts
      expect(await seqs(`${lines.join('\n')}\n`)).toEqual([1, 9])
    }
    const long = linesOf(8, {}, { reason: 'ä'.repeat(200_000) }).texts
    expect(await seqs(`${long.join('\n')}\n`)).toEqual([1, 8])
    const tooLong = linesOf(2, {}, { reason: 'x'.repeat(2_000_000) }).texts
    expect(await seqs(`${tooLong.join('\n')}\n`)).toEqual([undefined, undefined])
  })
})

it('the heads of a log are the last lines that no other file names', async () => {
  const folder = await tempDir()
  const nameAt = (day: number): string => nameOf('00000000', Date.parse(`2026-01-0${day}`))
  const [one, other, third, cut] = [nameAt(1), nameAt(2), nameAt(3), nameAt(4)]
  const put = (name: string, { texts, hashes }: ReturnType<typeof linesOf>): string => {
    writeFileSync(join(folder, name), texts.map((text) => `${text}\n`).join(''))
    return hashes.at(-1) ?? ''
  }
  const hashes = { [one]: put(one, linesOf(2)), [other]: put(other, linesOf(3)) }
  writeFileSync(join(folder, cut), 'x')
  // It names another line of the second file: one that is no longer its last.
  const last = put(third, linesOf(1, { ...hashes, [other]: linesOf(1).hashes[0] }))
  const files = readFolder(folder, () => expect.unreachable())
  expect(files.map(({ name, size }) => [name, size > 1])).toEqual([
    [one, true],
    [other, true],
    [third, true],
    [cut, false],
  ])
  expect(headsOf(files)).toEqual({ [other]: hashes[other], [third]: last })
  expect(headsOf(files.filter(({ name }) => [one, cut].includes(name)))).toEqual({ [one]: hashes[one] })
  expect(headsOf([])).toEqual({})
})
