import { describe, expect, it } from 'vitest'
import { formatPermission, parseCall, parsePermission } from '../../../src/dialects/acp/index.ts'
import { type Outcome, parseQuestions, type Responses } from '../../../src/internal.ts'

const CALL = { toolCallId: 'call_1' }
const ONCE = { optionId: 'once', name: 'Yes', kind: 'allow_once' }
const NO = { optionId: 'no', name: 'No', kind: 'reject_once' }

const permission = (options: readonly object[], toolCall: object = CALL) =>
  parsePermission({ sessionId: 's', toolCall, options })
const labels = (options: readonly object[]) => permission(options).question.options?.map(({ label }) => label)

function decided(kind: Outcome['kind'], responses: Responses, options: readonly object[] = [ONCE, NO]) {
  const outcome: Outcome = {
    kind,
    toolCallId: 'call_1',
    questions: parseQuestions([permission(options).question]),
    answers: {},
    responses,
    unanswered: [],
    settledAt: '2026-01-01T00:00:00.000Z',
    elapsedMs: 1,
  }
  return formatPermission(outcome, { toolCall: CALL, options }).outcome
}
const picked = (value: string, source: 'human' | 'default' = 'human'): Responses => ({
  permission: { selected: [value], source },
})

describe('the options of a permission', () => {
  it('come in the order of what they do, and the agent’s own within it', () => {
    const always = (name: string) => ({ optionId: name, name, kind: 'allow_always' })
    expect(labels([NO, always('b'), ONCE, always('a')])).toEqual([
      'Allow once',
      'Allow always: “b”',
      'Allow always: “a”',
      'Deny',
    ])
  })

  it('of the same name can be told apart', () => {
    const same = [1, 2, 3].map((id) => ({ optionId: `${id}`, name: 'Yes', kind: 'allow_once' }))
    expect(labels(same)).toEqual(['Allow once', 'Allow once: “Yes”', 'Allow once: “Yes” (3)'])
  })

  it('have their whole name beside them where the label cuts it', () => {
    const name = 'x'.repeat(80)
    const [option] = permission([{ optionId: 'a', name, kind: 'reject_always' }]).question.options ?? []
    expect(option).toEqual({
      label: `Deny always: “${'x'.repeat(60)}…”`,
      value: 'option-1',
      description: `The agent calls this “${name}”`,
    })
  })

  it('without a name are called by their id', () => {
    expect(labels([{ optionId: 'all', name: ' ', kind: 'allow_always' }])).toEqual(['Allow always: “all”'])
  })

  it.each([{ kind: 'allow_forever' }, { optionId: 7 }, { name: undefined }])(
    'are refused with %j',
    (wrong) => {
      expect(() => permission([{ ...ONCE, ...wrong }])).toThrow(
        expect.objectContaining({ code: 'INVALID_QUESTIONS' }),
      )
    },
  )
})

describe('the outcome of a permission', () => {
  it('is what a person picked', () => {
    expect(decided('answered', picked('allow-once'))).toEqual({ outcome: 'selected', optionId: 'once' })
    expect(decided('answered', picked('deny'))).toEqual({ outcome: 'selected', optionId: 'no' })
  })

  it.each([
    ['a default', 'answered', picked('allow-once', 'default')],
    ['a draft', 'partial', picked('allow-once')],
    ['a time-out with a pick', 'timed-out', picked('allow-once')],
    ['an abort', 'aborted', picked('allow-once')],
    ['a value that was not offered', 'answered', picked('option-9')],
    ['no pick', 'answered', { permission: { skipped: true } }],
  ] as const)('is cancelled for %s', (_, kind, responses) => {
    expect(decided(kind, responses)).toEqual({ outcome: 'cancelled' })
  })

  it('of a decline rejects once, and never for ever', () => {
    const never = { optionId: 'never', name: 'Never', kind: 'reject_always' }
    expect(decided('declined', {}, [ONCE, never, NO])).toEqual({ outcome: 'selected', optionId: 'no' })
    expect(decided('declined', {}, [ONCE, never])).toEqual({ outcome: 'cancelled' })
  })
})

describe('a tool call', () => {
  it.each([
    [{ name: 'Bash', kind: 'execute' }, 'Bash'],
    [{ name: ' ', _meta: { claudeCode: { toolName: 'Read' } }, kind: 'read' }, 'Read'],
    [{ name: null, kind: 'fetch' }, 'fetch'],
    [{ kind: 7 }, 'a tool without a name'],
  ])('is named by what its agent says: %j', (call, toolName) => {
    expect(parseCall({ ...CALL, rawInput: {}, ...call }).toolName).toBe(toolName)
  })

  it('of a new file is one that writes it', () => {
    const content = [{ type: 'diff', path: 'a.txt', oldText: null, newText: 'new' }]
    expect(parseCall({ ...CALL, kind: 'edit', content })).toEqual({
      toolName: 'write',
      input: { filePath: 'a.txt', content: 'new' },
    })
  })

  it('says nothing twice: no title that is in its input, and no diff that its input describes', () => {
    const content = [{ type: 'diff', path: 'a.txt', oldText: 'a', newText: 'b' }]
    const rawInput = { file_path: 'a.txt', old_string: 'a', new_string: 'b' }
    expect(parseCall({ ...CALL, name: 'Edit', title: 'a.txt', rawInput, content })).toEqual({
      toolName: 'Edit',
      input: rawInput,
    })
  })

  it('keeps an input of its own beside a diff, whatever it is', () => {
    const content = [{ type: 'diff', path: 'a.txt', newText: 'b' }]
    const diffs = [{ path: 'a.txt', newText: 'b' }]
    expect(parseCall({ ...CALL, rawInput: 'text', content }).input).toEqual({ rawInput: 'text', diffs })
    const rawInput = { diffs: 'mine' }
    expect(parseCall({ ...CALL, rawInput, content }).input).toEqual({ rawInput, diffs })
  })

  it('is read without what nobody understands of it', () => {
    const content = [{ type: 'future' }, null, { type: 'content', content: { type: 'text', text: 'why' } }]
    expect(parseCall({ ...CALL, title: 7, content, locations: [{}, { path: 'a', line: 'x' }] })).toEqual({
      toolName: 'a tool without a name',
      input: { content: ['why'], locations: [{ path: 'a' }] },
    })
  })
})
