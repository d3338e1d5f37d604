// What is done before the question is asked.

import {
  answerFile,
  approvals,
  claimFile,
  folder,
  forgedFor,
  ID,
  makeFolder,
  move,
  ownFolder,
  plantLink,
  QUESTION,
  questionFile,
  runId,
  write,
} from './own-files.mjs'

export const before = {
  'pre-creates the answer': () => {
    makeFolder(approvals())
    write(answerFile, forgedFor(null))
    write(claimFile, forgedFor(null))
  },

  'pre-creates the question, with an answer in it': () => {
    makeFolder(folder('questions'))
    const now = new Date().toISOString()
    write(questionFile, {
      version: 1,
      toolCallId: ID,
      toolName: 'AskUserQuestion',
      kind: 'question',
      questions: [{ ...QUESTION, id: 'q1' }],
      askedAt: now,
      timeoutMs: 'never',
      deadline: null,
      nonce: 'known',
      runId,
      state: 'answered',
      settledAt: now,
      responses: { q1: { selected: ['Red'], source: 'human' } },
      revision: 1,
    })
  },

  'pre-creates the folder of answers, as a link to its own': () => {
    move(approvals(), 'before')
    plantLink(ownFolder(), approvals())
  },
}
