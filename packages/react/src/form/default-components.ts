import type { AskComponents } from './ask-form.ts'
import { Actions } from './parts/actions.tsx'
import { Button } from './parts/button.tsx'
import { Chips } from './parts/chips.tsx'
import { Decline } from './parts/decline.tsx'
import { Filter } from './parts/filter.tsx'
import { Keys } from './parts/keys.tsx'
import { Note } from './parts/note.tsx'
import { Option } from './parts/option.tsx'
import { OwnAnswer } from './parts/own-answer.tsx'
import { Problem } from './parts/problem.tsx'
import { Question } from './parts/question.tsx'
import { Review } from './parts/review.tsx'
import { Status } from './parts/status.tsx'
import { Summary } from './parts/summary.tsx'
import { Title } from './parts/title.tsx'
import { Preview } from './previews/preview.tsx'

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
  Keys,
  Filter,
  Button,
}
