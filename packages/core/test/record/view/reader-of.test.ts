import { expect, it } from 'vitest'
import type { QuestionView } from '../../../src/record/view/question-view.ts'
import { holdsUpWork, readerOf } from '../../../src/record/view/reader-of.ts'

it.each<[string, boolean, Partial<QuestionView>]>([
  ['waits', true, {}],
  // A server is there: whether the asker could come back makes no difference.
  ['waits', true, { comesBack: true }],
  ['goes on', false, { blocking: false }],
  ['goes on', false, { blocking: false, comesBack: true }],
  ['comes back', false, { blocking: false, comesBack: true, runEnded: true }],
  ['comes back', false, { comesBack: true, runEnded: true }],
  ['gone', true, { blocking: false, runEnded: true }],
  ['gone', true, { runEnded: true }],
])('an agent %s: whether work stands still is %s', (reader, stands, view) => {
  expect([readerOf(view as QuestionView), holdsUpWork(view as QuestionView)]).toEqual([reader, stands])
})
