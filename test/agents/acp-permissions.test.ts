import { readCall } from '@sandagent/core/internal'
import { listQuestions, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { startAcp } from '../support/acp.ts'
import { asked } from '../support/mcp.ts'

const OPTIONS = [
  { optionId: 'always', name: 'Yes, and do not ask for ls again', kind: 'allow_always' },
  { optionId: 'once', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'Deny', kind: 'reject_once' },
  { optionId: 'never', name: 'No, never', kind: 'reject_always' },
]
const CALL = { toolCallId: 'call_1', name: 'Bash', rawInput: { command: 'ls' }, title: 'List the files' }

const permission = (toolCall: object = CALL, options: readonly object[] = OPTIONS) => ({
  request: { 'session/request_permission': { toolCall, options } },
})
const permit = (value: string) => ({
  responses: { permission: { selected: [value], source: 'human' as const } },
})
const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } })
const cancelled = { outcome: { outcome: 'cancelled' } }
const update = (fields: object) => ({ update: { sessionUpdate: 'tool_call', title: 'A call', ...fields } })

describe('a permission that an agent of ACP asks for', () => {
  it('is an approval with the call as it will run, and with the agent’s names beside our words', async () => {
    const { sandbox, chunks } = await startAcp({ steps: [permission()] })
    const { toolCallId, kind, subject, questions } = await asked(sandbox)
    expect({ toolCallId, kind }).toEqual({ toolCallId: 'r-call_1', kind: 'approval' })
    expect(subject).toEqual({
      toolName: 'Bash',
      input: { command: 'ls' },
      reasons: [{ by: 'agent', text: 'List the files' }],
    })
    expect(questions[0]?.options).toEqual([
      { label: 'Allow once', value: 'allow-once', description: 'The agent calls this “Yes”' },
      { label: 'Allow always: “Yes, and do not ask for ls again”', value: 'option-1' },
      { label: 'Deny', value: 'deny' },
      { label: 'Deny always: “No, never”', value: 'option-4' },
    ])
    expect(chunks.find(({ type }) => type === 'tool-input-available')).toMatchObject({
      toolCallId: 'r-call_1',
      toolName: 'Bash',
      input: { command: 'ls' },
    })
  })

  it.each([
    ['allow-once', 'once'],
    ['option-1', 'always'],
    ['deny', 'no'],
    ['option-4', 'never'],
  ])('gets the option that a person picked: %s', async (value, optionId) => {
    const { sandbox, results } = await startAcp({ steps: [permission()] })
    const { toolCallId } = await asked(sandbox)
    await submitAnswer(sandbox, { toolCallId, ...permit(value) })
    expect(await results()).toEqual([selected(optionId)])
  })

  it('gets the option that rejects once when a person declines', async () => {
    const { sandbox, results } = await startAcp({ steps: [permission()] })
    const { toolCallId } = await asked(sandbox)
    await submitAnswer(sandbox, { toolCallId, status: 'declined' })
    expect(await results()).toEqual([selected('no')])
  })

  it('that a person denies ends its call once, also where the agent says that it failed', async () => {
    const failed = { toolCallId: 'call_1', status: 'failed', rawOutput: 'rejected' }
    const { sandbox, chunks, ended } = await startAcp({
      steps: [permission(), { update: { sessionUpdate: 'tool_call_update', ...failed } }],
    })
    const { toolCallId } = await asked(sandbox)
    await submitAnswer(sandbox, { toolCallId, ...permit('deny') })
    await ended
    const ends = chunks.filter((chunk) => chunk.type.startsWith('tool-output'))
    expect(ends).toMatchObject([{ errorText: expect.stringContaining('The user denied it') }])
  })

  it('is cancelled when a person declines and nothing rejects once', async () => {
    const { sandbox, results } = await startAcp({
      steps: [permission(CALL, [OPTIONS[1] ?? {}, OPTIONS[3] ?? {}])],
    })
    const { toolCallId } = await asked(sandbox)
    await submitAnswer(sandbox, { toolCallId, status: 'declined' })
    expect(await results()).toEqual([cancelled])
  })

  it('is cancelled when nobody decides in time, whatever the run does at a time-out', async () => {
    const run = { timeoutMs: 1, timeoutPolicy: 'defaults' as const }
    const { results, chunks, ended } = await startAcp({ steps: [permission()] }, {}, run)
    expect(await results()).toEqual([cancelled])
    await ended
    expect(chunks).toContainEqual(
      expect.objectContaining({
        type: 'tool-output-error',
        errorText: expect.stringContaining('Bash was not run'),
      }),
    )
  })

  it('knows what the agent said of the call before', async () => {
    const { sandbox } = await startAcp({
      steps: [
        update({
          toolCallId: 'call_1',
          title: 'List the files',
          kind: 'execute',
          rawInput: { command: 'ls' },
        }),
        permission({ toolCallId: 'call_1', name: 'Bash' }),
      ],
    })
    const { subject } = await asked(sandbox)
    expect(subject).toMatchObject({ toolName: 'Bash', input: { command: 'ls' } })
  })

  it('shows a diff as an edit where that is all the input there is', async () => {
    const content = [{ type: 'diff', path: '/w/a.txt', oldText: 'one\n', newText: 'two\n' }]
    const { sandbox } = await startAcp({ steps: [permission({ toolCallId: 'c', kind: 'edit', content })] })
    const { subject } = await asked(sandbox)
    expect(subject && readCall(subject)).toEqual({
      kind: 'edit',
      path: '/w/a.txt',
      edits: [{ path: '/w/a.txt', before: 'one\n', after: 'two\n' }],
      rest: undefined,
    })
  })

  it('shows a diff beside a raw input that does not say the same', async () => {
    const content = [{ type: 'diff', path: '/w/b.txt', newText: 'secret' }]
    const rawInput = { file_path: '/w/a.txt', content: 'plain' }
    const { sandbox } = await startAcp({
      steps: [permission({ toolCallId: 'c', name: 'Write', rawInput, content })],
    })
    const { subject } = await asked(sandbox)
    expect(subject?.input).toEqual({ ...rawInput, diffs: [{ path: '/w/b.txt', newText: 'secret' }] })
  })

  it('shows title, texts and places of a call without an input', async () => {
    const content = [{ type: 'content', content: { type: 'text', text: 'It is needed' } }]
    const locations = [{ path: '/etc/passwd' }]
    const { sandbox } = await startAcp({
      steps: [permission({ toolCallId: 'c', kind: 'read', title: 'Read it', content, locations })],
    })
    expect((await asked(sandbox)).subject).toEqual({
      toolName: 'read',
      input: { title: 'Read it', kind: 'read', content: ['It is needed'], locations },
    })
  })

  it('of two calls at once are told apart', async () => {
    const second = { ...CALL, toolCallId: 'call_2', rawInput: { command: 'pwd' } }
    const { sandbox, results } = await startAcp({ steps: [{ together: [permission(), permission(second)] }] })
    await asked(sandbox, 2)
    await submitAnswer(sandbox, { toolCallId: 'r-call_2', ...permit('deny') })
    expect(await results()).toEqual([selected('no')])
    await submitAnswer(sandbox, { toolCallId: 'r-call_1', ...permit('allow-once') })
    expect(await results(2)).toContainEqual(selected('once'))
  })
})

describe('a hostile agent of ACP', () => {
  it('asks anew when it uses an id again: no permission counts twice', async () => {
    const { sandbox, results } = await startAcp({ steps: [permission(), permission()] })
    await submitAnswer(sandbox, { toolCallId: (await asked(sandbox)).toolCallId, ...permit('allow-once') })
    await results()
    const second = await vi.waitFor(async () => {
      const [view] = await listQuestions(sandbox)
      expect(view?.toolCallId).toBe('r-call_1-2')
      return view
    })
    await submitAnswer(sandbox, { toolCallId: second?.toolCallId ?? '', ...permit('deny') })
    expect(await results(2)).toEqual([selected('once'), selected('no')])
  })

  it('gets no answer that another run got for the same call', async () => {
    const first = await startAcp({ steps: [permission()] })
    const { toolCallId } = await asked(first.sandbox)
    await submitAnswer(first.sandbox, { toolCallId, ...permit('allow-once') })
    await first.ended
    first.again({}, { runId: 'r2' })
    expect((await asked(first.sandbox)).toolCallId).toBe('r2-call_1')
  })

  it.each([
    ['two options of one id', [OPTIONS[1], { ...OPTIONS[2], optionId: 'once' }], /ids of their own/],
    ['no options', [], /at least one option/],
    [
      '10,000 options',
      Array.from({ length: 10_000 }, (_, index) => ({ ...OPTIONS[0], optionId: `${index}` })),
      /at most 500 options/,
    ],
  ])('is refused a permission with %s, and reads why', async (_, options, why) => {
    const { results, warnings, ended, sandbox } = await startAcp({
      steps: [permission(CALL, options as object[])],
    })
    expect(await results()).toEqual([
      expect.objectContaining({ code: -32602, message: expect.stringMatching(why) }),
    ])
    await ended
    expect(warnings).toMatchObject([{ code: 'INVALID_QUESTIONS' }])
    expect(await listQuestions(sandbox)).toEqual([])
  })

  it('cannot draw its option as one of ours', async () => {
    const names = ['\u202eecno wollA', 'Allow once', 'x” or “Deny', '**Deny**\n- Deny']
    const options = names.map((name, index) => ({ optionId: `${index}`, name, kind: 'allow_always' }))
    const { sandbox } = await startAcp({ steps: [permission(CALL, options)] })
    const { questions } = await asked(sandbox)
    expect(questions[0]).toMatchObject({ textFormat: 'plain' })
    expect(questions[0]?.options?.map(({ label }) => label)).toEqual([
      'Allow always: “<U+202E>ecno wollA”',
      'Allow always: “Allow once”',
      "Allow always: “x' or 'Deny”",
      'Allow always: “**Deny** - Deny”',
    ])
  })

  it('cannot make an option of its own look like our values', async () => {
    const options = [
      { optionId: 'allow-once', name: 'No', kind: 'reject_always' },
      { optionId: 'deny', name: 'Yes', kind: 'allow_once' },
    ]
    const { sandbox, results } = await startAcp({ steps: [permission(CALL, options)] })
    const { toolCallId } = await asked(sandbox)
    await submitAnswer(sandbox, { toolCallId, ...permit('allow-once') })
    expect(await results()).toEqual([selected('deny')])
  })

  it('with a title of a megabyte is refused, where nothing else tells what it would do', async () => {
    const { results } = await startAcp({
      steps: [permission({ toolCallId: 'c', title: 'x'.repeat(1_000_000) })],
    })
    expect(await results()).toEqual([expect.objectContaining({ code: -32602 })])
  })

  it('shows a long title cut beside the input of its call', async () => {
    const { sandbox } = await startAcp({ steps: [permission({ ...CALL, title: 'x'.repeat(1_000_000) })] })
    const { subject } = await asked(sandbox)
    expect(subject?.reasons?.[0]?.text).toMatch(/^x{1900,} … \(cut\)$/)
  })
})
