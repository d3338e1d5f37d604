import { describe, expect, it } from 'vitest'
import { createClaudeWorkspace } from '../support/models/claude-workspace.ts'
import { call, text } from '../support/models/messages-api.ts'

const PLAN = '# Move house\n\n1. Pack\n2. Drive\n'

/**
 * The real binary in its plan mode, which it enters itself. Its model writes the plan where it was told to, and presents it.
 */
async function plan(presented: readonly ReturnType<typeof call>[], plan = PLAN) {
  const write = (sent: string) => [
    call('Write', { file_path: /create your plan at (\S+\.md)/.exec(sent)?.[1], content: plan }),
  ]
  const claude = await createClaudeWorkspace([
    [call('EnterPlanMode', {})],
    write,
    ...presented.map((each) => [each]),
  ])
  return { ...claude, run: claude.start() }
}

const decide = (value: string, more: object = {}) => ({
  status: 'completed' as const,
  responses: { permission: { selected: [value], source: 'human' as const, ...more } },
})

describe('the plan of Claude Code', () => {
  it('is asked about as a plan, and goes back with comments, each with the line it is about', async () => {
    const [first, second] = [call('ExitPlanMode', {}), call('ExitPlanMode', {})]
    const { api, asked, answer, run } = await plan([first, second])
    const { questions, subject } = await asked(first.id)
    expect(questions[0]?.options?.map(({ label }) => label)).toEqual(['Accept the plan', 'Send it back'])
    expect(subject?.input).toMatchObject({ plan: PLAN })
    await answer(first.id, decide('deny', { notes: 'Nearly.\n4: By train' }))
    await asked(second.id)
    expect(api.resultOf(first.id)).toEqual({
      text: 'ExitPlanMode was not run. The user denied it: the plan needs changes. Make them, and present it again. They say:\n\nNearly.\n\nOn line 4:\n> 2. Drive\nBy train',
      isError: true,
    })
    await answer(second.id, decide('allow-once', { notes: '3: Slowly' }))
    await run.ended
    expect(api.resultOf(second.id)).toMatchObject({ isError: false })
    expect(api.resultOf(second.id)?.text).toContain('User has approved your plan')
    const sent = JSON.stringify(api.requests.at(-1)?.messages)
    expect(sent).toContain('The user accepted the plan, with this to keep in mind:\\n\\nOn line 3:')
  })

  it('may be edited before it is accepted', async () => {
    const presented = call('ExitPlanMode', {})
    const { api, asked, answer, run } = await plan([presented])
    const { subject } = await asked(presented.id)
    const input = { ...(subject?.input as object), plan: '1. Stay' }
    await answer(presented.id, decide('allow-once', { input }))
    await run.ended
    expect(api.resultOf(presented.id)?.text).toContain('Approved Plan (edited by user):\n1. Stay')
  })

  it.each([
    ['sent back', { status: 'declined', reason: '4: By train' } as const, '> 2. Drive\nBy train'],
    [
      'asked about',
      { status: 'declined', reason: 'Why drive?', asksBack: true } as const,
      'They ask: "Why drive?"',
    ],
  ])('may be %s without a pick, as terminals do', async (_, given, told) => {
    const presented = call('ExitPlanMode', {})
    const { api, answer, run } = await plan([presented])
    await answer(presented.id, given)
    await run.ended
    expect(api.resultOf(presented.id)?.isError).toBe(true)
    expect(api.resultOf(presented.id)?.text).toContain(told)
  })

  it('is not accepted when nobody decides in time', async () => {
    const presented = call('ExitPlanMode', {})
    const claude = await createClaudeWorkspace([[call('EnterPlanMode', {})], [presented], [text('Well.')]])
    await claude.start({}, { timeoutMs: 200 }).ended
    expect(claude.api.resultOf(presented.id)).toMatchObject({
      isError: true,
      text: expect.stringContaining('ExitPlanMode was not run. Nobody answered'),
    })
  })
})
