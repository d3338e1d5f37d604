import { type AskedQuestion, assumptionOf, defaultOf, visible } from '@sandagent/core/internal'
import { type ReactElement, useId } from 'react'
import { englishAssumptionLabels } from '../../labels/assumption-labels.ts'
import type { FormPartProps } from '../../state/ask-form.ts'
import { hasEntries } from '../../state/entries.ts'
import { Clamp } from '../clamp.tsx'

/**
 * What the agent goes on with while the question waits, or went on with until it ended, and the button that lets it stand.
 * Both are about what is shown.
 */
export function Assumption({ form }: FormPartProps): ReactElement {
  const { ask, components } = form
  const labels = { ...englishAssumptionLabels, ...form.labels }
  const { questions } = ask
  const id = useId()
  const letStand = (): void => {
    for (const question of questions) enterDefault(form, question)
    ask.submit()
  }
  return (
    <div className="sa-actions">
      <div className="sa-goes-on">
        <Clamp form={form} id={id}>
          {questions.map((question) => {
            const text = (ask.runEnded ? labels.wentOn : labels.goesOn)(shown(assumptionOf(question)))
            return (
              <p key={question.id} className="sa-hint" dir="auto">
                {questions.length > 1 ? labels.about(question.header ?? question.question, text) : text}
              </p>
            )
          })}
        </Clamp>
      </div>
      {/* Who has entered something means that. */}
      {questions.every(defaultOf) && !hasEntries(ask) && (
        <components.Button data-sends="" onClick={letStand}>
          {labels.letStand}
        </components.Button>
      )}
    </div>
  )
}

const shown = (text: string | undefined): string | undefined => text && visible(text)

function enterDefault({ ask }: FormPartProps['form'], question: AskedQuestion): void {
  const { selected = [], freeText } = defaultOf(question) ?? {}
  for (const value of selected) ask.selectAnswer(question.id, value, undefined, { autoSubmit: false })
  if (freeText !== undefined) ask.setFreeText(question.id, freeText)
}
