import { expect, it } from 'vitest'
import { claimFileName, fileOfEntry } from '../../src/channel/file-paths.ts'
import { answerFilePath, questionRecordPath } from '../../src/internal.ts'

it('puts questions and answers of a tool call under one name', () => {
  expect(questionRecordPath('t1')).toBe('.sandagent/questions/t1.json')
  expect(answerFilePath('t1')).toBe('.sandagent/approvals/t1.json')
  expect(answerFilePath('../x')).toMatch(/^\.sandagent\/approvals\/hashed-[0-9a-f]{64}\.json$/)
})

it('finds the name back from a file and from its claim, and from nothing else', () => {
  expect(claimFileName('t1.json')).toBe('.t1.final')
  expect(claimFileName('t1.json', '../x')).toMatch(/^\.t1~[0-9a-f]{32}\.final$/)
  const entries = ['t1.json', '.t1.final', claimFileName('t1.json', '../x')]
  expect(entries.map(fileOfEntry)).toEqual(['t1.json', 't1.json', 't1.json'])
  expect(['.0b1c.tmp', 't1.txt', '.t1.json', 't1'].map(fileOfEntry)).toEqual([null, null, null, null])
})
