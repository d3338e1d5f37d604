import { declineQuestion, type LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { type CodexPlace, codexPlace, runCodex, stop } from '../support/codex.ts'
import { worksOnRow } from '../support/matrix/agent-row.ts'
import { functionCall } from '../support/models/scripted-responses.ts'

const PATIENTLY = { timeout: 60_000 }
const COLOUR = { title: 'Which colour?', options: ['Red', 'Blue'] }

const asks = (id: string, ...questions: object[]) =>
  functionCall(id, 'request_user_input_async', { questions })

/** Only the newest models of Codex have the tool. */
const run = (place: CodexPlace, ...args: string[]) => runCodex(place, '--model', 'gpt-6.2-sol', ...args)

const asked = (sandbox: LocalSandbox, count = 1) =>
  vi.waitFor(async () => {
    const views = await listQuestions(sandbox)
    expect(views).toHaveLength(count)
    return views.map(({ toolCallId }) => toolCallId) as [string, ...string[]]
  }, PATIENTLY)

const reads = ({ model }: CodexPlace, text: string) =>
  vi.waitFor(() => expect(model.told().replaceAll('\\', '')).toContain(text), PATIENTLY)

const ends = ({ child }: ReturnType<typeof run>) =>
  vi.waitFor(() => expect(child.exitCode).toBe(0), PATIENTLY)

const answer = (sandbox: LocalSandbox, toolCallId: string, colour: string) =>
  submitAnswer(sandbox, { toolCallId, answers: { 'Which colour?': colour } })

/** A run that was killed while its question was open. */
async function killed() {
  const place = await codexPlace([[asks('call_4', COLOUR)]])
  const first = run(place, '--', 'Do it.')
  const [toolCallId] = await asked(place.sandbox)
  await vi.waitFor(() => expect(first.said()).toContain('Done.'), PATIENTLY)
  await stop(first.child)
  return { ...place, place, toolCallId, session: String(first.session()) }
}

describe('what Codex asks without waiting', () => {
  worksOnRow('Codex', ['a message of its model', 'as a message in its thread'], async () => {
    const place = await codexPlace([[asks('call_4', COLOUR, { title: 'Whose is it?' })]])
    const running = run(place, '--', 'Do it.')
    const [toolCallId] = await asked(place.sandbox)
    await submitAnswer(place.sandbox, {
      toolCallId,
      answers: { 'Which colour?': 'Blue', 'Whose is it?': 'Zoë’s' },
    })
    await reads(place, '- "Which colour?": "Blue"')
    await ends(running)
  })

  it('is told after a restart, when it was answered meanwhile, and only once', async () => {
    const { place, sandbox, toolCallId, session } = await killed()
    await answer(sandbox, toolCallId, 'Blue')
    await ends(run(place, '--resume', session))
    await reads(place, '- "Which colour?": "Blue"')
    expect(await listQuestions(sandbox)).toEqual([])
    const before = place.model.told().split(`${toolCallId}:`).length
    const third = run(place, '--resume', session, '--', 'Go on.')
    await reads(place, 'Go on.')
    await ends(third)
    expect(third.said()).not.toContain('Which colour?')
    expect(place.model.told().split(`${toolCallId}:`).length).toBe(before)
  })

  it('is open after a restart under the same id, and its model works on', async () => {
    const { place, sandbox, toolCallId, session } = await killed()
    const second = run(place, '--resume', session, '--', 'Go on.')
    await reads(place, 'Go on.')
    await vi.waitFor(async () =>
      expect(await listQuestions(sandbox)).toMatchObject([{ toolCallId, blocking: false, state: 'open' }]),
    )
    await declineQuestion(sandbox, { toolCallId, reason: 'not now' })
    await reads(place, 'saying "not now"')
    await ends(second)
  })

  it('is asked again when the end of its run has withdrawn it', async () => {
    const place = await codexPlace([[asks('call_4', COLOUR)]])
    const first = run(place, '--', 'Do it.')
    const [toolCallId] = await asked(place.sandbox)
    first.child.kill('SIGINT')
    await asked(place.sandbox, 0)
    const second = run(place, '--resume', String(first.session()))
    expect(await asked(place.sandbox)).toEqual([toolCallId])
    await answer(place.sandbox, toolCallId, 'Red')
    await reads(place, '- "Which colour?": "Red"')
    await ends(second)
  })
})
