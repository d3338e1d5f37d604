// Why it is so: docs/decisions/0124-who-will-read-the-answer.md

import type { QuestionView } from './question-view.ts'

/**
 * Who will read the answer to a question that is open. `waits`: its agent does nothing else until then. `goes on`: it works
 * meanwhile. `comes back`: it is not there now, and looks for the answer by itself. `gone`: somebody has to start it again.
 */
export type AnswerReader = 'waits' | 'goes on' | 'comes back' | 'gone'

type Facts = Pick<QuestionView, 'blocking' | 'comesBack' | 'runEnded'>

/** Whether work stands still until a person answers. */
export const holdsUpWork = ({ blocking, comesBack, runEnded }: Facts): boolean =>
  runEnded ? !comesBack : blocking !== false

/** Who will read the answer, as the host knows it. */
export function readerOf(view: Facts): AnswerReader {
  if (holdsUpWork(view)) return view.runEnded ? 'gone' : 'waits'
  return view.runEnded ? 'comes back' : 'goes on'
}
