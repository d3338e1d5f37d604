import { answerTexts, filesInWords, type Outcome, type OutcomeKind } from '@sandagent/core/internal'
import type { Condition } from './scenario.ts'
import { fillTemplate } from './template.ts'

/** The name under which `when` finds whether the last approval was given. */
export const APPROVAL_ANSWER = 'permission'

/** What a scripted run has learnt so far. */
export class ScenarioMemory {
  readonly #answers = new Map<string, string[]>()
  readonly #outcomes = new Map<string, OutcomeKind>()
  readonly #values: Map<string, string>

  constructor(prompt: string) {
    this.#values = new Map([['prompt', prompt]])
  }

  remember(outcome: Outcome, as: string | undefined): void {
    if (as !== undefined) this.#outcomes.set(as, outcome.kind)
    const responses = filesInWords(outcome.responses)
    for (const question of outcome.questions) {
      const texts = answerTexts(question, responses).map((text) => text.trim())
      this.#answers.set(question.id, texts)
      this.#values.set(`answers.${question.id}`, texts.join(', '))
    }
  }

  rememberOutput(text: string): void {
    this.#values.set('output', text)
  }

  /** Remembers whether the last command that needed an approval was allowed. */
  rememberApproval(isAllowed: boolean): void {
    this.#answers.set(APPROVAL_ANSWER, [isAllowed ? 'allowed' : 'denied'])
  }

  /** Fills the placeholders of a text, see `fillTemplate`. */
  fill(template: string): string {
    return fillTemplate(template, (name) => this.#values.get(name) ?? '')
  }

  holds(condition: Condition): boolean {
    if ('outcome' in condition) {
      const kind = this.#outcomes.get(condition.outcome)
      return kind !== undefined && condition.is.includes(kind)
    }
    const texts = this.#answers.get(condition.answer) ?? []
    return 'equals' in condition
      ? texts.length === 1 && texts[0] === condition.equals
      : texts.includes(condition.includes)
  }
}
