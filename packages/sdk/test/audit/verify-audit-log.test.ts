import { mkdirSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { sealLine } from '../../src/audit/audit-line.ts'
import { verifyAuditLog } from '../../src/audit/index.ts'
import { refusalOf } from '../support/temp-sandbox.ts'

const nameOf = (number: number): string => `audit-2026010${number}T000000000Z-00000000.jsonl`
const [ONE, TWO, THREE] = [nameOf(1), nameOf(2), nameOf(3)]

/** A folder of files. */
async function logOf() {
  const folder = await tempDir()
  return {
    folder,
    path: (name: string) => join(folder, name),
    /** Writes a file whose first line has these facts, with so many decisions. Gives the hashes of its lines. */
    put(name: string, facts: object, decisions = 1): string[] {
      const hashes: string[] = []
      const texts = Array.from({ length: decisions + 1 }, (_, index) => {
        const content = index === 0 ? { action: 'opened', after: {}, ...facts } : { action: 'answer' }
        const line = sealLine({ seq: index + 1, previous: hashes.at(-1) ?? '' }, content as never)
        hashes.push(line.hash)
        return `${line.text}\n`
      })
      writeFileSync(join(folder, name), texts.join(''))
      return hashes
    },
  }
}

describe('a whole log', () => {
  it('has as many files and decisions as were written, and the heads that no file names', async () => {
    const { folder, put } = await logOf()
    const one = put(ONE, {}, 2).at(-1)
    const two = put(TWO, {}, 1).at(-1)
    const three = put(THREE, { after: { [ONE]: one } }, 3).at(-1)
    expect(await verifyAuditLog([folder], { expect: [`${one}`, `${two}`] })).toEqual({
      ...{ files: 3, decisions: 6, signed: 0, heads: { [TWO]: two, [THREE]: three }, faults: [], notes: [] },
    })
  })

  it('may be in several folders, and in files given one by one', async () => {
    const [first, second] = [await logOf(), await logOf()]
    const one = first.put(ONE, {}).at(-1)
    const two = second.put(TWO, { after: { [ONE]: one } }).at(-1)
    const heads = { [TWO]: two }
    for (const paths of [
      [first.folder, second.folder],
      [first.path(ONE), second.path(TWO)],
    ])
      expect(await verifyAuditLog(paths)).toMatchObject({
        files: 2,
        decisions: 2,
        heads,
        faults: [],
        notes: [],
      })
  })

  it('has no head in a file without a line', async () => {
    const { folder, put, path } = await logOf()
    put(ONE, {})
    writeFileSync(path(TWO), '')
    const report = await verifyAuditLog([folder])
    expect(Object.keys(report.heads)).toEqual([ONE])
    const text = 'The file is empty.'
    expect(report.faults).toEqual([{ file: path(TWO), line: 0, kind: 'missing', text }])
  })
})

describe('what is missing', () => {
  it('is a line that another file names, and the last line there is a head', async () => {
    const { folder, put, path } = await logOf()
    const whole = put(ONE, {}, 2)
    const two = put(TWO, { after: { [ONE]: whole.at(-1) } }).at(-1)
    put(ONE, {}, 1)
    const report = await verifyAuditLog([folder])
    const text = `A line that ${TWO} names is missing: the end was cut off or replaced.`
    expect(report.faults).toEqual([{ file: path(ONE), line: 0, kind: 'missing', text }])
    expect(report.heads).toEqual({ [ONE]: whole[1], [TWO]: two })
  })

  it('is a file that another one names, unless single files were given', async () => {
    const { folder, put, path } = await logOf()
    put(TWO, { after: { [ONE]: 'x' } })
    const text = `The file is missing: ${TWO} names it.`
    const whole = await verifyAuditLog([folder])
    expect([whole.faults, whole.notes]).toEqual([[{ file: ONE, line: 0, kind: 'missing', text }], []])
    const single = await verifyAuditLog([path(TWO)])
    expect([single.faults, single.notes]).toEqual([[], [`${ONE}, which ${TWO} names, was not given.`]])
  })

  it('is no file that was removed to keep fewer, as a note says', async () => {
    const { folder, put, path } = await logOf()
    put(TWO, { after: { [ONE]: 'x' }, removed: { [ONE]: 'x' } })
    for (const given of [folder, path(TWO)])
      expect(await verifyAuditLog([given])).toMatchObject({
        faults: [],
        notes: [`${ONE} was removed to keep fewer files, as ${TWO} says.`],
      })
    // A removal that did not succeed is no note.
    const one = put(ONE, {}).at(-1)
    put(TWO, { after: { [ONE]: one }, removed: { [ONE]: one } })
    expect(await verifyAuditLog([folder])).toMatchObject({ faults: [], notes: [] })
    // The removal of one file explains no other one.
    rmSync(path(ONE))
    put(TWO, { after: { [ONE]: one, [THREE]: 'x' }, removed: { [ONE]: one } })
    expect((await verifyAuditLog([folder])).faults).toMatchObject([{ file: THREE }])
  })

  it('is each hash that was kept elsewhere and is not there', async () => {
    const { folder, put, path } = await logOf()
    const [first = '', second = ''] = put(ONE, {})
    const { faults } = await verifyAuditLog([folder, path(ONE)], { expect: [first, 'x', second, 'y'] })
    const file = `${folder}, ${path(ONE)}`
    expect(faults).toEqual(
      ['x', 'y'].map((hash) => ({ file, line: 0, kind: 'missing', text: `No line has the hash ${hash}.` })),
    )
  })
})

it('a hash that no line has is a fault, also if a file says that another one was removed', async () => {
  const { folder, put } = await logOf()
  put(TWO, { removed: { [ONE]: 'x' } })
  const { faults } = await verifyAuditLog([folder], { expect: ['x', 'y'] })
  expect(faults).toEqual(
    ['x', 'y'].map((hash) => ({
      ...{ file: folder, line: 0, kind: 'missing' },
      text: `No line has the hash ${hash}. Its file may have been removed to keep fewer.`,
    })),
  )
})

it('a file that cannot be read is named, and one that goes away meanwhile is a note', async () => {
  const { folder, put, path } = await logOf()
  put(ONE, {})
  mkdirSync(path(TWO))
  expect(await refusalOf(verifyAuditLog([folder]))).toMatchObject({
    code: 'UNREACHABLE',
    facts: { path: path(TWO) },
  })
  rmdirSync(path(TWO))
  // A name without a file behind it, as after a removal.
  symlinkSync(path('nowhere'), path(TWO))
  const report = await verifyAuditLog([folder])
  expect(report).toMatchObject({ decisions: 1, faults: [] })
  expect(report.notes).toEqual([`${path(TWO)} was removed while the log was checked.`])
})

it('the faults and the notes of each file are told, and at most 100 faults', async () => {
  const { folder, put, path } = await logOf()
  put(ONE, { missed: 3 })
  writeFileSync(path(TWO), 'x\n'.repeat(101))
  const { faults, notes } = await verifyAuditLog([folder])
  expect(notes).toEqual([`${path(ONE)}: 3 decisions before could not be written.`])
  expect(faults.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
  expect(faults[0]).toMatchObject({ file: path(TWO), kind: 'unreadable' })
})

it('where there is no log, its path is named', async () => {
  const { folder, path } = await logOf()
  mkdirSync(path('empty'))
  writeFileSync(path('empty/x'), '')
  for (const given of [path('empty'), path('x')]) {
    const error = await refusalOf(verifyAuditLog([folder, given]).catch(() => verifyAuditLog([given])))
    expect(error).toMatchObject({ code: 'NOT_FOUND', facts: { path: given } })
    expect(error.message).toContain(given)
  }
})
