import { answerTexts, type Outcome, type OutcomeKind } from '@sandagent/core/internal'
import type { Condition } from './scenario.ts'
import { fillTemplate } from './template.ts'

/** The name under which `when` finds whether the last approval was given. */
export const APPROVAL_ANSWER = 'permission'

/** What a scripted run has learnt so far. */
export interface ScenarioMemory {
  remember(outcome: Outcome, as: string | undefined): void
  rememberOutput(text: string): void
  /** Remembers whether the last command that needed an approval was allowed. */
  rememberApproval(isAllowed: boolean): void
  /** Fills the placeholders of a text, see `fillTemplate`. */
  fill(template: string): string
  holds(condition: Condition): boolean
}

export function createScenarioMemory(prompt: string): ScenarioMemory {
  const answers = new Map<string, string[]>()
  const outcomes = new Map<string, OutcomeKind>()
  const values = new Map([['prompt', prompt]])

  return {
    remember(outcome, as) {
      if (as !== undefined) outcomes.set(as, outcome.kind)
      for (const question of outcome.questions) {
        const texts = answerTexts(question, outcome.responses).map((text) => text.trim())
        answers.set(question.id, texts)
        values.set(`answers.${question.id}`, texts.join(', '))
      }
    },
    rememberOutput(text) {
      values.set('output', text)
    },
    rememberApproval(isAllowed) {
      answers.set(APPROVAL_ANSWER, [isAllowed ? 'allowed' : 'denied'])
    },
    fill: (template) => fillTemplate(template, (name) => values.get(name) ?? ''),
    holds(condition) {
      if ('outcome' in condition) {
        const kind = outcomes.get(condition.outcome)
        return kind !== undefined && condition.is.includes(kind)
      }
      const texts = answers.get(condition.answer) ?? []
      return 'equals' in condition
        ? texts.length === 1 && texts[0] === condition.equals
        : texts.includes(condition.includes)
    },
  }
}
