import { describe, expect, it } from 'vitest'
import { stateStamps } from '../../src/channel/state-stamps.ts'
import type { SandboxFiles } from '../../src/internal.ts'

type Folders = Record<string, Record<string, string>>

const filesOf = (folders: Folders) =>
  ({
    stamps: async (folder: string) => new Map(Object.entries(folders[folder] ?? {})),
    list: async (folder: string) => Object.keys(folders[folder] ?? {}),
  }) as unknown as SandboxFiles

const stampsOf = (folders: Folders) => stateStamps(filesOf(folders), ['questions', 'approvals'])

describe('the stamp of a question', () => {
  const folders = {
    questions: { 'a.json': '1', 'b.json': '1' },
    approvals: { 'a.json': '1', '.a.final': '1', '.0000.tmp': '9', 'notes.txt': '9' },
  }

  it('is there for each file of a question, and for nothing else', async () => {
    expect([...(await stampsOf(folders)).keys()]).toEqual(['a.json', 'b.json'])
  })

  it.each<[string, Folders]>([
    ['its record', { ...folders, questions: { 'a.json': '2', 'b.json': '1' } }],
    ['its answer', { ...folders, approvals: { 'a.json': '2', '.a.final': '1' } }],
    ['its claim', { ...folders, approvals: { 'a.json': '1', '.a.final': '2' } }],
    ['the number of its files', { ...folders, approvals: { 'a.json': '1' } }],
  ])('changes with %s, and with no other question', async (_, changed) => {
    const [before, after] = [await stampsOf(folders), await stampsOf(changed)]
    expect(after.get('a.json')).not.toBe(before.get('a.json'))
    expect(after.get('b.json')).toBe(before.get('b.json'))
  })

  it('is the same in whatever order the files are listed', async () => {
    const turned = { ...folders, approvals: { '.a.final': '1', 'a.json': '1' } }
    expect((await stampsOf(turned)).get('a.json')).toBe((await stampsOf(folders)).get('a.json'))
  })

  it('tells the folders apart', async () => {
    const asked = await stampsOf({ questions: { 'a.json': '1' } })
    const answered = await stampsOf({ approvals: { 'a.json': '1' } })
    expect(asked.get('a.json')).not.toBe(answered.get('a.json'))
  })

  it('is not known where the sandbox tells no stamps', async () => {
    const { stamps: _, ...files } = filesOf(folders)
    expect([...(await stateStamps(files, ['questions', 'approvals']))]).toEqual([
      ['a.json', undefined],
      ['b.json', undefined],
    ])
  })
})
