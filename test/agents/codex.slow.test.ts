import { declineQuestion, type LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { expect, vi } from 'vitest'
import { codexPlace, runCodex, stop } from '../support/codex.ts'
import { agentRow, lost } from '../support/matrix/agent-row.ts'
import { functionCall } from '../support/models/scripted-responses.ts'

const PLACES = {
  id: 'where',
  header: 'Place',
  question: 'Where to?',
  options: [
    { label: 'Paris, north', description: 'by train' },
    { label: 'Rome', description: 'by plane' },
  ],
}

/** The call of the tool by which the model of Codex asks. */
const asks = (id: string, ...questions: object[]): object =>
  functionCall(id, 'request_user_input', { questions })

/** The real Codex, whose model asks once. */
async function start(turns: object[][] = [[asks('call_1', PLACES)]], ...args: string[]) {
  const place = await codexPlace(turns)
  return { ...place, ...runCodex(place, ...args, '--', 'Plan a trip.') }
}

/** Codex needs a second to start, and longer on a busy machine. */
const PATIENTLY = { timeout: 60_000 }

const waiting = (sandbox: LocalSandbox, count = 1) =>
  vi.waitFor(async () => {
    const questions = await listQuestions(sandbox)
    expect(questions).toHaveLength(count)
    return questions.map(({ toolCallId }) => toolCallId) as [string, ...string[]]
  }, PATIENTLY)

const reads = (model: { told(): string }, text: string) =>
  vi.waitFor(() => expect(model.told().replaceAll('\\', '')).toContain(text), PATIENTLY)

agentRow('Codex', {
  'single choice': async () => {
    const { sandbox, model } = await start()
    const [toolCallId] = await waiting(sandbox)
    await submitAnswer(sandbox, { toolCallId, answers: { 'Where to?': 'Rome' } })
    await reads(model, '{"answers":{"where":{"answers":["Rome"]}}}')
  },
  'several choices with commas': lost('The tool of Codex takes one choice.'),
  'own words': async () => {
    const { sandbox, model } = await start()
    const [toolCallId] = await waiting(sandbox)
    await submitAnswer(sandbox, { toolCallId, answers: { 'Where to?': 'home, to Łódź' } })
    await reads(model, '{"answers":["home, to Łódź"]}')
  },
  notes: async () => {
    const { sandbox, model } = await start()
    const [toolCallId] = await waiting(sandbox)
    const responses = { where: { selected: ['Rome'], notes: 'in May', source: 'human' as const } }
    await submitAnswer(sandbox, { toolCallId, status: 'completed', responses })
    await reads(model, '{"answers":["Rome","user_note: in May"]}')
  },
  previews: lost('The tool of Codex has no previews.'),
  defaults: lost('The tool of Codex has no defaults.'),
  decline: async () => {
    const { sandbox, model } = await start()
    const [toolCallId] = await waiting(sandbox)
    await declineQuestion(sandbox, { toolCallId, reason: 'not now' })
    await reads(model, 'The user declined to answer, saying "not now"')
  },
  'time-out': async () => {
    const { model } = await start(undefined, '--timeout-ms', '1')
    await reads(model, 'Nobody answered')
  },
  cancel: async () => {
    const { sandbox, child } = await start()
    await waiting(sandbox)
    child.kill('SIGINT')
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toEqual([]), PATIENTLY)
  },
  'two at once': async () => {
    const when = { ...PLACES, id: 'when', question: 'When?' }
    const { sandbox, model } = await start([[asks('call_1', PLACES), asks('call_2', when)]])
    // Codex asks one after the other.
    for (const [question, answer] of [
      ['Where to?', 'Rome'],
      ['When?', 'soon'],
    ] as const) {
      const [toolCallId] = await waiting(sandbox)
      await submitAnswer(sandbox, { toolCallId, answers: { [question]: answer } })
    }
    await reads(model, '{"answers":["soon"]}')
    expect(model.told()).toContain('Rome')
  },
  restart: async () => {
    const place = await codexPlace([[asks('call_1', PLACES)]])
    const first = runCodex(place, '--', 'Plan a trip.')
    const [toolCallId] = await waiting(place.sandbox)
    await stop(first.child)
    await submitAnswer(place.sandbox, { toolCallId, answers: { 'Where to?': 'Rome' } })
    runCodex(place, '--resume', String(first.session()))
    await reads(place.model, 'The user answered:')
    expect(place.model.told()).toContain('Rome')
    expect(await listQuestions(place.sandbox)).toEqual([])
  },
})
