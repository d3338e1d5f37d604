import { AskError, type AskedQuestion, type Fault, parseQuestions, type Question } from '@sandagent/core'
import type { Scenario, Step } from './scenario.ts'
import { APPROVAL_ANSWER } from './scenario-memory.ts'
import { namesIn } from './template.ts'

/** A step with its place in the scenario, such as `steps.3.when.do.0`. */
interface PlacedStep {
  path: string
  step: Step
}

/** Invalid questions and unknown names of a scenario. */
export function referenceFaults(scenario: Scenario): Fault[] {
  const placed = flatten(scenario.steps, 'steps')
  const asked = placed.flatMap(({ path, step }) =>
    'ask' in step ? [readQuestions(step.ask.questions, path)] : [],
  )
  const ids = asked.flatMap(({ questions }) => questions.map(({ id }) => id))
  const needsApproval = placed.some(({ step }) => 'run' in step && step.run.needsApproval)
  const answers = needsApproval ? [...ids, APPROVAL_ANSWER] : ids
  const outcomes = placed.flatMap(({ step }) =>
    'ask' in step && step.ask.as !== undefined ? [step.ask.as] : [],
  )
  const names = ['prompt', 'output', ...ids.map((id) => `answers.${id}`)]
  return [
    ...asked.flatMap(({ faults }) => faults),
    ...placed.flatMap(({ path, step }): Fault[] => [
      ...textsOf(step)
        .flatMap(namesIn)
        .flatMap((name) => unknownFault(path, name, names)),
      ...('when' in step && 'answer' in step.when
        ? unknownFault(`${path}.when.answer`, step.when.answer, answers)
        : []),
      ...('when' in step && 'outcome' in step.when
        ? unknownFault(`${path}.when.outcome`, step.when.outcome, outcomes)
        : []),
    ]),
  ]
}

const flatten = (steps: readonly Step[], path: string): PlacedStep[] =>
  steps.flatMap((step, index) => {
    const here = { path: `${path}.${index}`, step }
    return 'when' in step
      ? [
          here,
          ...flatten(step.when.do, `${here.path}.when.do`),
          ...flatten(step.when.else ?? [], `${here.path}.when.else`),
        ]
      : [here]
  })

function readQuestions(input: Question[], path: string): { questions: AskedQuestion[]; faults: Fault[] } {
  try {
    return { questions: parseQuestions(input), faults: [] }
  } catch (error) {
    if (!(error instanceof AskError)) throw error
    return {
      questions: [],
      faults: error.faults.map((fault) => ({ ...fault, path: `${path}.ask.${fault.path}` })),
    }
  }
}

/** The texts of a step that may hold placeholders. */
function textsOf(step: Step): string[] {
  if ('say' in step) return [step.say]
  if ('write' in step) return [step.write.path, ...[step.write.content].flat()]
  if ('run' in step) return step.run.args ?? []
  return []
}

const unknownFault = (path: string, name: string, known: readonly string[]): Fault[] =>
  known.includes(name)
    ? []
    : [{ path, expected: `one of ${known.join(', ')}, found ${JSON.stringify(name)}` }]
