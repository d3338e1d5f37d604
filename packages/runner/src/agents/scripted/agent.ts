import { ASK_TOOL, type Outcome, type QuestionRecord } from '@sandagent/core'
import { questionAskedBack } from '@sandagent/core/internal'
import type { Agent, AgentRun } from '../../run/agent.ts'
import { askInRun } from '../../run/ask-in-run.ts'
import { writeOutcome } from '../../run/tool-result.ts'
import { type Approver, createApprover, inputOf, type Verdict } from './approver.ts'
import type { AskStep, RunStep, Scenario, Step, WriteStep } from './scenario.ts'
import { ScenarioMemory } from './scenario-memory.ts'
import { runCommand, writeFileInside } from './work-tools.ts'

/**
 * An agent that follows a scenario instead of a model. Its files and commands are real. Its tool call ids come from the
 * run's id and the place in the scenario, so that a restarted run adopts its question.
 */
export const createScriptedAgent =
  (scenario: Scenario): Agent =>
  async (run) => {
    const memory = new ScenarioMemory(run.prompt)
    await performAll(scenario.steps, { run, memory, approve: createApprover(run), place: '' })
  }

interface Scene {
  run: AgentRun
  memory: ScenarioMemory
  approve: Approver
  /** Where the steps stand in the scenario, such as `3-do-`. */
  place: string
}

type Next = 'continue' | 'stop'

async function performAll(steps: readonly Step[], scene: Scene): Promise<Next> {
  for (const [index, step] of steps.entries()) {
    if (scene.run.signal.aborted) return 'stop'
    const next = await perform(step, { ...scene, place: `${scene.place}${index + 1}` })
    if (next === 'stop') return 'stop'
  }
  return 'continue'
}

async function perform(step: Step, scene: Scene): Promise<Next> {
  if ('when' in step) {
    const way = scene.memory.holds(step.when) ? 'do' : 'else'
    return performAll(step.when[way] ?? [], { ...scene, place: `${scene.place}-${way}-` })
  }
  const { ui } = scene.run
  await ui.startStep()
  try {
    if ('say' in step) return await say(step.say, scene)
    if ('ask' in step) return await ask(step.ask, scene)
    if ('write' in step) return await write(step.write, scene)
    return await execute(step.run, scene)
  } finally {
    await ui.finishStep()
  }
}

async function say(template: string, { run: { ui }, memory, place }: Scene): Promise<Next> {
  const id = `text-${place}`
  await ui.textStart(id)
  for (const word of wordsOf(memory.fill(template))) await ui.textDelta(id, word)
  await ui.textEnd(id)
  return 'continue'
}

async function ask(step: AskStep, scene: Scene): Promise<Next> {
  const { as, questions, timeoutMs, timeoutPolicy, ifUnanswered, explain } = step
  const { run, memory } = scene
  const call = { toolCallId: callId(scene), toolName: ASK_TOOL.name }
  if (run.signal.aborted) return 'stop'
  // The call is shown once its question can be answered.
  const onAsked = (record: QuestionRecord) => showCall(scene, call.toolName, { questions: record.questions })
  const request = { ...call, questions, takesQuestions: explain !== undefined }
  const outcome = await askInRun(run, request, { timeoutMs, timeoutPolicy, onAsked })
  await writeOutcome(run.ui, outcome)
  if (outcome.asksBack && explain !== undefined) {
    await say(explain, scene)
    return ask(step, { ...scene, place: `${scene.place}-again` })
  }
  memory.remember(outcome, as)
  if (outcome.kind === 'answered' || outcome.kind === 'partial' || ifUnanswered === 'continue')
    return 'continue'
  if (outcome.kind !== 'aborted') await say(farewell(outcome), { ...scene, place: `${scene.place}-end` })
  return 'stop'
}

const farewell = ({ kind }: Outcome): string =>
  kind === 'declined'
    ? 'All right, I will leave it there. Nothing more was done.'
    : 'I got no answer in time, so I stop here rather than guess. Nothing more was done.'

async function write({ path, content }: WriteStep, scene: Scene): Promise<Next> {
  const { run, memory } = scene
  const file = memory.fill(path)
  const text = memory.fill(
    typeof content === 'string' ? content : content.map((line) => `${line}\n`).join(''),
  )
  await showCall(scene, 'Write', { path: file, content: text })
  await orTell(scene, writeFileInside(run.workdir, file, text))
  await run.ui.toolOutput(callId(scene), { path: file, bytes: Buffer.byteLength(text) })
  return 'continue'
}

async function execute(step: RunStep, scene: Scene): Promise<Next> {
  const { command, args = [], needsApproval, reason, explain } = step
  const { run, memory, approve } = scene
  const asked = [command, ...args.map((arg) => memory.fill(arg))]
  await showCall(scene, 'Bash', inputOf(asked))
  const verdict: Verdict = needsApproval
    ? await approve({
        toolCallId: callId(scene),
        toolName: 'Bash',
        words: asked,
        reason: reason && memory.fill(reason),
        takesQuestions: explain !== undefined,
      })
    : { words: asked }
  if (needsApproval) memory.rememberApproval('words' in verdict)
  if ('refusal' in verdict) {
    await run.ui.toolError(callId(scene), verdict.refusal)
    if (explain !== undefined && questionAskedBack(verdict.refusal) !== null) {
      await say(explain, scene)
      return execute(step, { ...scene, place: `${scene.place}-again` })
    }
    return run.signal.aborted ? 'stop' : 'continue'
  }
  const { words, changed } = verdict
  const [program = '', ...rest] = words
  const { failure, ...output } = await runCommand(run.workdir, program, rest, run.signal)
  if (failure !== null) {
    await run.ui.toolError(
      callId(scene),
      [changed, failure, output.stdout, output.stderr].filter(Boolean).join('\n'),
    )
    if (run.signal.aborted) return 'stop'
    throw new Error(failure)
  }
  await run.ui.toolOutput(callId(scene), { ...output, ...(changed !== undefined && { changed }) })
  memory.rememberOutput(output.stdout)
  return 'continue'
}

const callId = ({ run, place }: Scene): string => `${run.runId}-${place}`

/** Shows a tool call as a model streams it. */
async function showCall(scene: Scene, toolName: string, input: object): Promise<void> {
  const { ui } = scene.run
  const toolCallId = callId(scene)
  await ui.toolInputStart({ toolCallId, toolName })
  for (const piece of wordsOf(JSON.stringify(input))) await ui.toolInputDelta(toolCallId, piece)
  await ui.toolInput({ toolCallId, toolName, input })
}

/** Shows a failure at its tool call before it throws. */
async function orTell<T>(scene: Scene, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    await scene.run.ui.toolError(callId(scene), (error as Error).message)
    throw error
  }
}

const wordsOf = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? []
