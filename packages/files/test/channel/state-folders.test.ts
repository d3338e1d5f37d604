import { describe, expect, it } from 'vitest'
import { answerFilePath, questionRecordPath, stateFolders } from '../../src/internal.ts'

describe('the state folder', () => {
  it('is .sandagent, where nobody names another', () => {
    expect(stateFolders()).toEqual({
      state: '.sandagent',
      questions: '.sandagent/questions',
      approvals: '.sandagent/approvals',
      attachments: '.sandagent/attachments',
      runs: '.sandagent/runs',
      home: '.sandagent/home',
    })
  })

  it('leads to the files of a call under the name that was given', () => {
    const place = { stateFolder: '.bunny-agent' }
    expect(questionRecordPath('t1', place)).toBe('.bunny-agent/questions/t1.json')
    expect(answerFilePath('t1', place)).toBe('.bunny-agent/approvals/t1.json')
  })

  it.each(['', '.', '..', 'a/b', '../x', '/etc', 'a\\b', 'a\0', '.git', '.GIT', 'a\n', '~', 'x'.repeat(200)])(
    'refuses %j, which is not one plain folder name',
    (stateFolder) => {
      expect(() => stateFolders({ stateFolder })).toThrow(
        expect.objectContaining({ code: 'INVALID_REQUEST', facts: { stateFolder } }),
      )
    },
  )
})
