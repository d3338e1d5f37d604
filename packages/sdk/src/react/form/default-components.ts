import { Actions } from './actions.tsx'
import type { AskComponents } from './ask-form.ts'
import { Button } from './button.tsx'
import { Chips } from './chips.tsx'
import { Decline } from './decline.tsx'
import { Note } from './note.tsx'
import { Option } from './option.tsx'
import { OwnAnswer } from './own-answer.tsx'
import { Preview } from './preview.tsx'
import { Problem } from './problem.tsx'
import { Question } from './question.tsx'
import { Review } from './review.tsx'
import { Status } from './status.tsx'
import { Summary } from './summary.tsx'
import { Title } from './title.tsx'

/** The parts as they come. */
export const defaultComponents: AskComponents = {
  Title,
  Chips,
  Question,
  Option,
  OwnAnswer,
  Note,
  Preview,
  Review,
  Actions,
  Decline,
  Problem,
  Summary,
  Status,
  // See `lateComponents`.
  Keys: () => null,
  Filter: () => null,
  Button,
}
