import { declineQuestion, listQuestions, submitAnswer } from '@sandagent/sdk'
import { expect, vi } from 'vitest'
import { agentRow, lost } from '../support/matrix/agent-row.ts'
import { sandagent, sessionIn } from '../support/models/claude-command.ts'
import { createClaudeWorkspace } from '../support/models/claude-workspace.ts'
import { call, text } from '../support/models/messages-api.ts'

const WHERE = 'Where to?'
const ask = (more: object = {}, preview?: string) =>
  call('AskUserQuestion', {
    questions: [
      {
        question: WHERE,
        header: 'Place',
        options: ['Paris, north', 'Rome'].map((label) => ({
          label,
          description: `About ${label}`,
          ...(preview !== undefined && { preview }),
        })),
        multiSelect: false,
        ...more,
      },
    ],
  })

/** The real binary, whose played model asks this. Its own server asks over MCP in test/claude/elicitation.test.ts. */
async function start(asked = ask(), timeoutMs: number | 'never' = 'never') {
  const claude = await createClaudeWorkspace([[asked]])
  const run = claude.start({}, { timeoutMs })
  /** What the model reads in the end. */
  const told = async () => {
    await run.ended
    return claude.api.resultOf(asked.id)?.text ?? ''
  }
  return { ...claude, run, told, toolCallId: asked.id }
}

agentRow('Claude Code', {
  'single choice': async () => {
    const { answer, told, toolCallId } = await start()
    await answer(toolCallId, { answers: { [WHERE]: 'Rome' } })
    expect(await told()).toContain(`"${WHERE}"="Rome"`)
  },
  'several choices with commas': async () => {
    const { answer, told, toolCallId } = await start(ask({ multiSelect: true }))
    await answer(toolCallId, { answers: { [WHERE]: '"Paris, north", Rome' } })
    expect(await told()).toMatch(/^Your questions have been answered: .*Paris, north.*, Rome/)
  },
  'own words': async () => {
    const { answer, told, toolCallId } = await start()
    await answer(toolCallId, { answers: { [WHERE]: 'home, to Łódź' } })
    expect(await told()).toContain(`"${WHERE}"="home, to Łódź"`)
  },
  notes: async () => {
    const { answer, told, toolCallId } = await start()
    const q1 = { selected: ['Rome'], notes: 'by train', source: 'human' as const }
    await answer(toolCallId, { responses: { q1 } })
    expect(await told()).toMatch(/"Rome".*by train/s)
  },
  previews: async () => {
    const { api, answer, asked, told, toolCallId } = await start(ask({}, '# A map'))
    const { questions } = await asked(toolCallId)
    expect(questions[0]?.options?.[0]?.preview).toBe('# A map')
    await answer(toolCallId, { answers: { [WHERE]: 'Rome' } })
    expect(await told()).toContain('# A map')
    // Only then do models send them.
    const tool = api.requests[0]?.tools?.find(({ name }) => name === 'AskUserQuestion')
    expect(tool?.description).toMatch(/preview.*markdown/is)
  },
  defaults: lost('The tool of Claude Code has no defaults.'),
  decline: async () => {
    const { sandbox, asked, told, toolCallId } = await start()
    await asked(toolCallId)
    await declineQuestion(sandbox, { toolCallId, reason: 'not now' })
    expect(await told()).toContain('The user declined to answer, saying "not now"')
  },
  'time-out': async () => {
    const { told } = await start(ask(), 200)
    expect(await told()).toMatch(/^Nobody answered within/)
  },
  cancel: async () => {
    const { sandbox, asked, run, toolCallId } = await start()
    await asked(toolCallId)
    run.stop()
    await run.ended
    expect(await listQuestions(sandbox)).toEqual([])
  },
  'two at once': async () => {
    const [one, two] = [ask(), ask()]
    const { api, asked, answer, start } = await createClaudeWorkspace([[one, two]])
    const run = start()
    await Promise.all([asked(one.id), asked(two.id)])
    await answer(two.id, { answers: { [WHERE]: 'Rome' } })
    await answer(one.id, { answers: { [WHERE]: 'Oslo' } })
    await run.ended
    expect(api.resultOf(one.id)?.text).toContain('="Oslo"')
    expect(api.resultOf(two.id)?.text).toContain('="Rome"')
  },
  restart: async () => {
    const asked = ask()
    const claude = await createClaudeWorkspace([[text('Well.'), asked]])
    const killed = sandagent(claude, '--', 'Go')
    await claude.asked(asked.id)
    await claude.transcriptHas(WHERE)
    killed.kill()
    const { stdout } = await killed.ended
    await submitAnswer(claude.sandbox, { toolCallId: asked.id, answers: { [WHERE]: 'Rome' } })
    expect(await sandagent(claude, '--resume', sessionIn(stdout)).ended).toMatchObject({ exitCode: 0 })
    expect(claude.api.lastPrompt()).toContain(`"${WHERE}": "Rome"`)
    await vi.waitFor(async () => expect(await listQuestions(claude.sandbox)).toEqual([]))
  },
})
