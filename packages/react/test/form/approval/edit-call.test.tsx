import type { AnswerTransport, QuestionView } from '@sandagent/core'
import type { PageAnswer } from '@sandagent/core/internal'
import { createToolParts } from '@sandagent/testing'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { ToolApproval } from '../../../src/index.ts'
import { focused, viewOf } from '../form-fixture.tsx'

const PERMISSION = {
  id: 'permission',
  question: 'May the agent use Bash?',
  allowFreeText: false,
  options: [
    { value: 'allow-once', label: 'Allow once' },
    { value: 'allow-session', label: 'Allow for this session' },
    { value: 'deny', label: 'Deny' },
  ],
}

/** An approval on a page, with the host in the test's hands. */
async function open(
  input: unknown,
  { subject = {}, view = {} }: { subject?: object; view?: Partial<QuestionView> } = {},
) {
  const part = createToolParts([], { toolName: 'Bash', input: { a: 1 } }).waiting()
  const asking = { ...part, input: { questions: [PERMISSION] } }
  const sent: PageAnswer[] = []
  let show: (view: QuestionView) => void = () => {}
  const call = { toolName: 'Bash', input, editable: true as const, ...subject }
  const shown = (more: Partial<QuestionView>): QuestionView =>
    viewOf(asking, { kind: 'approval', subject: call, ...view, ...more })
  const transport: AnswerTransport = {
    send: async (answer) => {
      sent.push(answer)
      return {}
    },
    subscribe(_, onView) {
      show = onView
      onView(shown({}))
      return () => {}
    },
  }
  const page = render(<ToolApproval part={part} transport={transport} />)
  const deny = await screen.findByRole('button', { name: 'Deny' })
  await waitFor(() => expect(deny.matches(':disabled')).toBe(false))
  return {
    sent,
    show: (more: Partial<QuestionView>) => act(() => show(shown(more))),
    unmount: page.unmount,
    answered: async () => {
      await waitFor(() => expect(sent.at(-1)?.status).toBe('completed'))
      return sent.at(-1)?.responses.permission
    },
  }
}

const press = (name: string | RegExp): Promise<void> => userEvent.click(screen.getByRole('button', { name }))
const edit = async (): Promise<HTMLElement> => {
  await press('Edit')
  return screen.findByRole('group', { name: 'Change the call' })
}
const field = (name: string): HTMLTextAreaElement =>
  screen.getByLabelText<HTMLTextAreaElement>(name, { selector: 'textarea, input' })
const type = async (name: string, text: string): Promise<void> => {
  await userEvent.clear(field(name))
  await userEvent.click(field(name))
  await userEvent.paste(text)
}
const changes = (): string[] =>
  [...document.querySelectorAll('pre:has([data-change])')].map(({ textContent }) => textContent ?? '')
const names = (): string[] => screen.getAllByRole('button').map(({ textContent }) => textContent ?? '')

describe('a call that may be edited', () => {
  it('runs as it was edited, shown and allowed with a button of its own', async () => {
    const { answered, sent } = await open({ command: 'rm -r build', force: true })
    await edit()
    expect(focused()).toBe(field('command'))
    expect(names()).not.toContain('Allow once')
    expect(screen.getByRole('button', { name: 'Allow the changed call' }).matches(':disabled')).toBe(true)
    expect(screen.getByText('Nothing is changed yet.')).toBeTruthy()
    await type('command', 'rm -r build/tmp')
    expect(changes()).toEqual(['- rm -r build\n+ rm -r build/tmp\n'])
    await waitFor(() => expect(sent.at(-1)?.status).toBe('pending'))
    await press('Allow the changed call')
    expect(await answered()).toMatchObject({
      selected: ['allow-once'],
      input: { command: 'rm -r build/tmp', force: true },
    })
    expect(focused()).toBe(screen.getAllByRole('status').at(0))
  })

  it('is that of the agent again after Cancel', async () => {
    const { answered } = await open({ command: 'ls' })
    await edit()
    await type('command', 'pwd')
    await press('Cancel')
    expect(screen.queryByRole('group', { name: 'Change the call' })).toBeNull()
    expect(focused()).toBe(screen.getByRole('button', { name: 'Edit' }))
    await press('Allow once')
    expect(JSON.stringify(await answered())).toBe('{"selected":["allow-once"],"source":"human"}')
  })

  it('can be denied while it is edited, and the edit does not go along', async () => {
    const { answered } = await open({ command: 'ls' })
    await edit()
    await type('command', 'pwd')
    await press('Deny')
    expect(JSON.stringify(await answered())).toBe('{"selected":["deny"],"source":"human"}')
  })

  it('is open for editing again after a reload', async () => {
    await open(
      { command: 'ls' },
      {
        view: {
          responses: { permission: { selected: [], input: { command: 'pwd' }, source: 'human' } },
          revision: 2,
        },
      },
    )
    await waitFor(() => expect(field('command').value).toBe('pwd'))
    expect(changes()).toEqual(['- ls\n+ pwd\n'])
  })

  it('begins anew when the agent puts another call in its place', async () => {
    const { show } = await open({ command: 'ls' })
    await edit()
    await type('command', 'pwd')
    show({
      subject: { toolName: 'Bash', input: { command: 'rm -r /' }, editable: true },
      questionDigest: 'x',
    })
    await waitFor(() => expect(changes()).toEqual(['- rm -r /\n+ pwd\n']))
  })

  it('has no button where the asker cannot carry it, or nothing allows it', async () => {
    const { unmount } = await open({ command: 'ls' }, { subject: { editable: undefined } })
    expect(names()).not.toContain('Edit')
    unmount()
    await open(
      { command: 'ls' },
      { view: { questions: [{ ...PERMISSION, options: [{ label: 'Deny', value: 'deny' }] }] } },
    )
    expect(names()).not.toContain('Edit')
  })

  it('shows afterwards that it was allowed with changes, and which', async () => {
    await open({ command: 'ls' }).then(({ show }) =>
      show({
        state: 'answered',
        responses: { permission: { selected: ['allow-once'], input: { command: 'pwd' }, source: 'human' } },
      }),
    )
    await waitFor(() => expect(screen.getByRole('region').textContent).toContain('Allowed with changes'))
    await waitFor(() => expect(changes()).toEqual(['- ls\n+ pwd\n']))
  })

  it('lets a second person go on with the changes of the first', async () => {
    const { show, answered } = await open({ command: 'ls' })
    const responses = {
      permission: { selected: ['allow-once'], input: { command: 'pwd' }, source: 'human' as const },
    }
    show({ votes: [{ id: 'ada', name: 'Ada', responses, revision: 1, at: '' }], rule: { votes: 2 } })
    const other = await screen.findByRole('group', { name: 'Changed by Ada' })
    await waitFor(() => expect(within(other).getByText('command')).toBeTruthy())
    await userEvent.click(within(other).getByRole('button', { name: 'Use these changes' }))
    await waitFor(() => expect(field('command').value).toBe('pwd'))
    await press('Allow the changed call')
    expect(await answered()).toMatchObject({ input: { command: 'pwd' } })
  })
})

describe('the fields', () => {
  const SCHEMA = {
    type: 'object',
    properties: {
      command: { type: 'string', description: 'What runs', maxLength: 20 },
      mode: { enum: ['fast', 'safe'] },
      depth: { type: 'integer', minimum: 1 },
      hidden: { type: 'string' },
    },
    required: ['command', 'mode'],
  }
  const INPUT = {
    command: 'ls',
    mode: 'fast',
    depth: 3,
    force: true,
    files: ['a', 'b'],
    env: { A: '1' },
  }

  it('are those of the tool’s schema and of the input', async () => {
    const { answered } = await open(INPUT, { subject: { schema: SCHEMA } })
    await edit()
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'mode' }), 'safe')
    await userEvent.click(screen.getByRole('checkbox', { name: 'force' }))
    await type('depth', '5')
    await type('files', 'a\nc')
    await type('env', '{"A":"2"}')
    await press('Add hidden')
    expect(focused()).toBe(field('hidden'))
    await userEvent.keyboard('x')
    await press('Remove: depth')
    expect(focused()).toBe(screen.getByRole('button', { name: 'Add depth' }))
    expect(names()).not.toContain('Remove: command')
    await press('Allow the changed call')
    expect(await answered()).toMatchObject({
      input: { command: 'ls', mode: 'safe', force: false, files: ['a', 'c'], env: { A: '2' }, hidden: 'x' },
    })
  })

  it.each<[string, string, string]>([
    ['depth', 'x', 'a whole number'],
    ['depth', '', 'a whole number'],
    ['depth', '0x5', 'a whole number'],
    ['depth', '1.5', 'a whole number'],
    ['depth', '1,500', 'write 1500, not 1,500'],
    ['depth', '0', 'at least 1'],
    ['depth', '1e999', 'a whole number'],
    ['command', 'x'.repeat(21), 'at most 20'],
    ['env', '{"A":', 'This is no JSON: '],
    ['env', '{"A":1e999}', 'This is no JSON'],
    ['env', '['.repeat(3000) + ']'.repeat(3000), 'This is no JSON'],
  ])('say what is wrong in %s', async (name, text, words) => {
    await open(INPUT, { subject: { schema: SCHEMA } })
    await edit()
    await type(name, text)
    expect(
      screen
        .getAllByRole('alert')
        .map(({ textContent }) => textContent)
        .join(),
    ).toContain(words)
    expect(field(name).getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByRole('button', { name: 'Allow the changed call' }).matches(':disabled')).toBe(true)
  })

  it('have the field that the schema knows, and a plain one for a value that is something else', async () => {
    const properties = {
      day: { type: 'string', format: 'date' },
      late: { type: 'string', format: 'date' },
      mail: { type: 'string', format: 'email' },
      copy: { type: 'string', format: 'email' },
      at: { type: 'string', format: 'date-time' },
      share: { type: 'number', maximum: 1, multipleOf: 0.1 },
      wrong: { type: 'integer', minimum: 5, maximum: 1, multipleOf: 'a' },
    }
    const at = '2026-03-01T11:30:15Z'
    const input = { day: '2026-03-01', late: 'tomorrow', mail: 'a@example.org', at, share: 0.1, wrong: 3 }
    const { answered, sent } = await open(input, { subject: { schema: { properties } } })
    await edit()
    const shown = ['day', 'late', 'mail', 'at', 'share', 'wrong'].map((name) => [
      field(name).type,
      field(name).value,
    ])
    expect(shown).toEqual([
      ['date', '2026-03-01'],
      ['textarea', 'tomorrow'],
      ['email', 'a@example.org'],
      ['textarea', at],
      ['text', '0.1'],
      ['text', '3'],
    ])
    await type('wrong', '4')
    await userEvent.type(field('share'), '{ArrowUp}{ArrowUp}')
    expect(field('share').value).toBe('0.3')
    await press('Add copy')
    expect(screen.getByText('Enter an e-mail address').getAttribute('role')).toBe('alert')
    await type('copy', 'b@example.org')
    await userEvent.keyboard('{Enter}')
    expect(sent.filter(({ status }) => status !== 'pending')).toEqual([])
    await press('Allow the changed call')
    expect(await answered()).toMatchObject({
      input: { ...input, share: 0.3, wrong: 4, copy: 'b@example.org' },
    })
  })

  it('can be one JSON text, which must stay an object', async () => {
    const { answered } = await open({ command: 'ls' })
    await edit()
    await press('Edit as JSON')
    expect(focused()).toBe(field('Input'))
    await type('Input', '[1]')
    expect(screen.getByText(/must be an object/)).toBeTruthy()
    await type('Input', '{"__proto__":{"a":1},"x":2,"x":3}')
    expect(changes()).toHaveLength(3)
    await press('Allow the changed call')
    const { input } = (await answered()) as { input: object }
    expect(JSON.stringify(input)).toBe('{"__proto__":{"a":1},"x":3}')
  })

  it('write out what cannot be seen, and give it back unchanged', async () => {
    const { answered } = await open({ command: 'ls\u200b \r\n\u202e', n: 1 })
    await edit()
    expect(field('command').value).toBe('"ls\\u200b \\r\\n\\u202e"')
    await type('n', '2')
    await press('Allow the changed call')
    expect(await answered()).toMatchObject({ input: { command: 'ls\u200b \r\n\u202e', n: 2 } })
  })

  it('show changed numbers without signs in front of them', async () => {
    await open({ depth: -20.5, level: 4, some: [1] }, { subject: { schema: SCHEMA } })
    await edit()
    await type('depth', '20')
    expect(changes()).toEqual(['-20.5 → 20'])
    await press('Edit as JSON')
    await type('Input', '{"level":"4","more":true,"some":[1,-2]}')
    expect(changes()).toEqual(['-20.5', '4 → "4"', '  [\n-   1\n+   1,\n+   -2\n  ]\n', 'true'])
    expect([...document.querySelectorAll('del')].map(({ textContent }) => textContent)).toContain('-20.5')
  })

  it('show hidden characters that somebody pasted, before they are allowed', async () => {
    await open({ command: 'ls' })
    await edit()
    await type('command', 'ls \u202e/')
    expect(changes()).toEqual(['- ls\n+ ls <U+202E>/\n'])
  })

  it.each<[string, unknown]>([
    ['refers to itself', { properties: { command: { $ref: '#' } } }],
    ['holds a costly pattern', { properties: { command: { type: 'string', pattern: '(a+)+$' } } }],
    [
      'has names of a prototype',
      JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{}}}'),
    ],
    ['is deep', JSON.parse(`${'{"properties":{"command":'.repeat(200)}{}${'}}'.repeat(200)}`)],
    ['is nonsense', { properties: 5, required: 'all', enum: {} }],
    ['is huge', { properties: Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`f${n}`, {}])) }],
    ['offers too much', { properties: { command: { enum: Array.from({ length: 5000 }, (_, n) => n) } } }],
  ])('do not mind a schema that %s', async (_, schema) => {
    const { answered } = await open(
      { command: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' },
      { subject: { schema } },
    )
    const editor = await edit()
    expect(editor.querySelectorAll('textarea, select, input').length).toBeLessThan(10)
    const whole = screen.queryByRole('textbox', { name: 'Input' })
    await (whole ? type('Input', '{"command":"b"}') : type('command', 'b'))
    await press('Allow the changed call')
    expect(await answered()).toMatchObject({ input: { command: 'b' } })
  })

  it('edit an input that is no object', async () => {
    const { answered } = await open('ls')
    await edit()
    await type('Input', 'pwd')
    await press('Allow the changed call')
    expect(await answered()).toMatchObject({ input: 'pwd' })
  })
})
