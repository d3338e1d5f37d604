import { Shortcuts } from './keyboard/shortcut-line.tsx'
import { Review } from './parts/answers/review.tsx'
import { Summary } from './parts/answers/summary.tsx'
import { Button } from './parts/button.tsx'
import { Chips } from './parts/chips.tsx'
import { Decline } from './parts/decline.tsx'
import { Actions } from './parts/footer/actions.tsx'
import { Problem } from './parts/footer/problem.tsx'
import { SendBar } from './parts/footer/send-bar.tsx'
import { Status } from './parts/footer/status.tsx'
import { Others } from './parts/others/others.tsx'
import { Filter } from './parts/question/filter.tsx'
import { Note } from './parts/question/note.tsx'
import { Option } from './parts/question/option.tsx'
import { OwnAnswer } from './parts/question/own-answer.tsx'
import { Question } from './parts/question/question.tsx'
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
