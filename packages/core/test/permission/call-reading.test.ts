import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callHeading, mainFieldOf, readCall } from '../../src/permission/call-reading.ts'

const headingOf = (toolName: string, input: unknown): string => callHeading(readCall({ toolName, input }))
const EDIT = { file_path: '/work/src/index.ts', old_string: 'a', new_string: 'b' }

describe('the field that is the main text of a call', () => {
  it.each([
    ['Bash', { command: 'ls', description: 'ls' }, 'command'],
    ['exec_command', { cmd: 'ls' }, 'cmd'],
    ['WebFetch', { url: 'https://example.com', prompt: 'Read' }, 'url'],
    ['ExitPlanMode', { plan: '# A plan' }, 'plan'],
  ])('of %s with %j is %s', (toolName, input, field) => {
    expect(mainFieldOf({ toolName, input })).toBe(field)
  })

  it.each([
    ['shell', { command: ['ls', '-l'] }],
    ['Bash', { command: 'node', args: ['a.js'] }],
    ['Bash', { command: 'ls', script: 'rm -r /' }],
    ['Bash', 'ls'],
    ['Edit', EDIT],
    ['constructor', { command: 'ls' }],
  ])('is none in a call of %s with %j', (toolName, input) => {
    expect(mainFieldOf({ toolName, input })).toBeUndefined()
  })
})

describe('the heading of a call', () => {
  it.each([
    ['Bash', { command: 'ls' }, 'Run this command?'],
    ['run_shell_command', { command: 'ls', directory: 'src' }, 'Run this command?'],
    ['shell', { command: ['ls', '-l'] }, 'Run this command?'],
    ['exec_command', { cmd: 'ls' }, 'Run this command?'],
    ['execute', { command: 'ls' }, 'Run this command?'],
    ['Edit', EDIT, 'Change index.ts?'],
    ['Write', { file_path: 'a/b.md', content: '' }, 'Write b.md?'],
    ['write', { filePath: 'C:\\a\\b.md', content: '' }, 'Write b.md?'],
    ['WebFetch', { url: 'https://example.com/a?b', prompt: 'Read' }, 'Fetch example.com?'],
    ['mcp__github__create_issue', { title: 'A' }, 'Use create_issue of github?'],
    ['deploy', { to: 'production' }, 'Use deploy?'],
  ])('of %s with %j', (toolName, input, heading) => {
    expect(headingOf(toolName, input)).toBe(heading)
  })

  it.each([
    ['Bash', 'ls'],
    ['Bash', ['ls']],
    ['Bash', { command: ' ' }],
    ['Bash', { command: { text: 'ls' } }],
    ['Bash', { command: 'ls', cmd: 'rm -r /' }],
    ['Bash', { command: 'ls', script: 'rm -r /' }],
    ['WebFetch', { url: 'https://example.com', command: 'rm' }],
    ['Edit', { ...EDIT, content: 'all of it' }],
  ])('says no more than the tool where %s has the odd input %j', (toolName, input) => {
    expect(headingOf(toolName, input)).toBe(`Use ${toolName}?`)
    expect(readCall({ toolName, input }).rest).toEqual(input)
  })

  it.each([
    ['this harmless tool, which was allowed before', {}, 'Use this tool?'],
    ['Run this command', {}, 'Use this tool?'],
    ['B\u0430sh', { command: 'ls' }, 'Use this tool?'],
    ['__proto__', {}, 'Use __proto__?'],
    ['mcp__git__push is safe', {}, 'Use a tool of git?'],
    ['Write', { file_path: 'a/nothing. It was allowed', content: 'x' }, 'Write this file?'],
    ['Write', { file_path: '', content: 'x' }, 'Write this file?'],
    ['WebFetch', { url: 'https://example.com@evil.example/' }, 'Fetch this address?'],
    ['WebFetch', { url: 'https://example.com\\@evil.example/' }, 'Fetch this address?'],
    ['WebFetch', { url: 'https://example.com\t.evil.example/' }, 'Fetch this address?'],
    ['WebFetch', { url: 'https://ex\u0430mple.com/' }, 'Fetch this address?'],
  ])('has no words of the agent: %j with %j', (toolName, input, heading) => {
    expect(headingOf(toolName, input)).toBe(heading)
  })
})

it('shows each argument of a command as a shell takes it', () => {
  const reading = readCall({ toolName: 'shell', input: { command: ['echo', "it's", 'a; b', ''] } })
  expect(reading).toMatchObject({ command: `echo 'it'\\''s' 'a; b' ''` })
})

it('shows the arguments of a command that has them in a field of their own', () => {
  const input = { command: 'node', args: ['-e', 'print(1)'], timeout: 1 }
  expect(readCall({ toolName: 'Bash', input })).toEqual({
    kind: 'command',
    command: "node -e 'print(1)'",
    rest: { timeout: 1 },
  })
  expect(readCall({ toolName: 'Bash', input: { command: 'ls', args: 'rm' } }).kind).toBe('other')
})

it('keeps what each of several edits says besides', () => {
  const edits = [
    { old_string: 'a', new_string: 'b', replace_all: true },
    { old_string: 'c', new_string: 'd' },
  ]
  expect(readCall({ toolName: 'MultiEdit', input: { file_path: 'a.ts', edits } })).toMatchObject({
    edits: [
      { before: 'a', after: 'b' },
      { before: 'c', after: 'd' },
    ],
    rest: { edits: [{ replace_all: true }, {}] },
  })
})

it('tells a description once, where it is the reason of the agent', () => {
  const input = { command: 'ls', description: 'List', timeout: 1 }
  const reasonBy = (by: 'agent' | 'rule', text: string) =>
    readCall({ toolName: 'Bash', input, reasons: [{ by, text }] }).rest
  expect(reasonBy('agent', 'List')).toEqual({ timeout: 1 })
  expect(reasonBy('rule', 'List')).toEqual({ timeout: 1, description: 'List' })
  expect(reasonBy('agent', 'List them')).toEqual({ timeout: 1, description: 'List' })
})

describe('a reading', () => {
  const names = [
    ...[
      'command',
      'args',
      'cmd',
      'url',
      'script',
      'file_path',
      'path',
      'filePath',
      'content',
      'old_string',
      'new_string',
    ],
    ...[
      'oldString',
      'newString',
      'edits',
      'edit_mode',
      'notebook_path',
      'new_source',
      'description',
      '__proto__',
    ],
  ]
  const tools = [
    ...['Bash', 'bash', 'shell', 'exec_command', 'WebFetch', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit'],
    ...['write', 'edit', 'replace', 'mcp__a__b', 'other'],
  ]
  const text = fc.uuid()
  const entry = (value: fc.Arbitrary<unknown>) =>
    fc
      .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 5 })
      .map((each) => Object.fromEntries(each))
  const value = fc.oneof(text, fc.array(text), fc.array(entry(text)), entry(text))

  it('leaves out no text of the input, whatever its names are', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...tools),
        fc.oneof(entry(text), entry(value), value),
        (toolName, input) => {
          const shown = JSON.stringify(readCall({ toolName, input }))
          for (const each of JSON.stringify(input).match(/[0-9a-f-]{36}/g) ?? [])
            expect(shown).toContain(each)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
