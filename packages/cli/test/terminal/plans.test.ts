import { APPROVAL_OPTIONS, PLAN_LABELS } from '@sandagent/core/internal'
import { approvalQuestion } from '@sandagent/runner'
import { describe, expect, it } from 'vitest'
import { subjectLines } from '../../src/terminal/subject-lines.ts'
import { askingApproval } from './asking-approval.ts'
import { openForm } from './form/open-form.ts'

const planOf = (plan: string) => ({ toolName: 'ExitPlanMode', input: { plan, planFilePath: '/p.md' } })
const PLAN = planOf('# Move house\n\n1. Pack\n2. Drive')
const LONG = planOf(Array.from({ length: 60 }, (_, index) => `- Step ${index + 1}`).join('\n'))
const QUESTION = {
  ...approvalQuestion('ExitPlanMode'),
  options: [
    { ...APPROVAL_OPTIONS.allowOnce, label: PLAN_LABELS.accept },
    { ...APPROVAL_OPTIONS.deny, label: PLAN_LABELS.sendBack },
  ],
}

const open = (subject: ReturnType<typeof planOf>) =>
  openForm([QUESTION], { asked: { kind: 'approval', subject }, rows: 30 })
const answered = (selected: string, notes: string) => ({
  status: 'completed',
  responses: { permission: { selected: [selected], notes } },
})

describe('a plan in a terminal', () => {
  it('stands there in full, each line behind its number', () => {
    expect(subjectLines(PLAN, 40)).toEqual([
      'Accept this plan?',
      '1 │ # Move house',
      '2 │ ',
      '3 │ 1. Pack',
      '4 │ 2. Drive',
      'Tool: │ ExitPlanMode',
      'Input from the agent:',
      '  planFilePath │ /p.md',
    ])
    expect(subjectLines(LONG, 40).slice(9, 11)).toEqual([' 9 │ - Step 9', '10 │ - Step 10'])
  })

  it('is accepted after all of it was shown, and can be commented on before', async () => {
    const { press, lines, sent } = open(LONG)
    press('1')
    expect(lines().join('\n')).toContain('There is more to read before you decide')
    press('n', ...'60: No', 'return')
    expect(lines().join('\n')).toContain('Comments: 60: No')
    press('return')
    expect(sent()?.status).not.toBe('completed')
    for (let page = 0; page < 10; page++) press(' ')
    press('1')
    expect(lines().join('\n')).toContain('● Accept the plan')
    press('return')
    await expect.poll(sent).toMatchObject(answered('allow-once', '60: No'))
  })

  it('goes back with comments, a line for each', async () => {
    const { press, lines, sent } = open(PLAN)
    expect(lines().join('\n')).toContain('n comments')
    press('n', ...'3: Why?', 'enter', ...'4: By train', 'return', '2', 'return')
    await expect.poll(sent).toMatchObject(answered('deny', '3: Why?\n4: By train'))
  })

  it('has no mark on what accepts it after the comments were typed', () => {
    const { press, lines, sent } = open(PLAN)
    press('down', 'down', 'down', ...'3: Why?', 'return', 'return')
    expect(lines().join('\n')).toContain('Nothing is marked yet')
    expect(sent()?.status).not.toBe('completed')
  })

  it('is commented on in plain lines, too', async () => {
    const { seeing, outcome } = await askingApproval(LONG, {
      question: QUESTION,
      options: ['--screen-reader'],
    })
    // A line counts from the prompt on.
    await seeing(/Step 16\n.*lines more[^>]*\n>$/, '3: Why?\r')
    await seeing(/Comments: 3: Why\?\n>$/, '60: No\r')
    await seeing(/Comments: 3: Why\? 60: No\n>$/, '3:\r')
    await seeing(/Comments: 60: No\n>$/, '\r')
    await seeing(/Step 3\d\n.*lines more[^>]*\n>$/, '\r')
    await seeing(/Step 5\d\n.*lines more[^>]*\n>$/, '\r')
    await seeing(/2\. Send it back(.|\n)*Type 12: TEXT to comment on line 12\.[^>]*\n>$/, '2\r')
    expect(await outcome).toMatchObject({
      responses: { permission: { selected: ['deny'], notes: '60: No' } },
    })
  })
})
