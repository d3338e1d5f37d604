import { Shortcuts } from './keyboard/shortcut-list.tsx'
import { Actions } from './parts/actions.tsx'
import { Review } from './parts/answers/review.tsx'
import { Summary } from './parts/answers/summary.tsx'
import { Button } from './parts/button.tsx'
import { Chips } from './parts/chips.tsx'
import { Decline } from './parts/decline.tsx'
import { Others } from './parts/others.tsx'
import { Problem } from './parts/problem.tsx'
import { Filter } from './parts/question/filter.tsx'
import { Note } from './parts/question/note.tsx'
import { Option } from './parts/question/option.tsx'
import { OwnAnswer } from './parts/question/own-answer.tsx'
import { Question } from './parts/question/question.tsx'
import { SendBar } from './parts/send-bar.tsx'
import { Status } from './parts/status.tsx'
import { Text } from './parts/text.tsx'
import { Title } from './parts/title.tsx'
import { Preview } from './previews/preview.tsx'
import type { AskComponents } from './state/ask-form.ts'

/** The form's own parts. */
export const defaultComponents: AskComponents = {
  Title,
  Chips,
  Question,
  Option,
  OwnAnswer,
  Note,
  Preview,
  Text,
  Review,
  Actions,
  Decline,
  SendBar,
  Problem,
  Others,
  Summary,
  Status,
  Shortcuts,
  Filter,
  Button,
}
