import { describe, expect, it } from 'vitest'
import { fileEditsIn } from '../../src/permission/file-edits.ts'

const EDIT = { file_path: 'a.ts', old_string: 'x', new_string: 'y' }
const WRITE = { file_path: 'a.ts', content: 'y' }

describe('the edits of a tool call', () => {
  it.each([
    ['Edit', EDIT, [['x', 'y']]],
    ['Edit', { ...EDIT, replace_all: true }, [['x', 'y']]],
    ['Write', WRITE, [[null, 'y']]],
    ['Write', { path: 'a.ts', content: 'y' }, [[null, 'y']]],
    [
      'MultiEdit',
      {
        file_path: 'a.ts',
        edits: [
          { old_string: 'x', new_string: 'y' },
          { old_string: 'y', new_string: '' },
        ],
      },
      [
        ['x', 'y'],
        ['y', ''],
      ],
    ],
    ['NotebookEdit', { notebook_path: 'a.ts', new_source: 'y' }, [[null, 'y']]],
    ['replace', { ...EDIT, old_string: '' }, [[null, 'y']]],
    ['write_file', WRITE, [[null, 'y']]],
    ['edit', { filePath: 'a.ts', oldString: 'x', newString: 'y' }, [['x', 'y']]],
    ['write', { filePath: 'a.ts', content: 'y' }, [[null, 'y']]],
  ])('are read from %s with %j', (toolName, input, edits) => {
    expect(fileEditsIn(toolName, input)).toEqual(
      edits.map(([before, after]) => ({ path: 'a.ts', before, after })),
    )
  })

  it.each([
    ['Write', { ...WRITE, edits: [{ old_string: '', new_string: 'harmless' }] }],
    ['MultiEdit', { file_path: 'a.ts', content: 'evil', edits: [{ old_string: 'x', new_string: 'y' }] }],
    ['MultiEdit', { file_path: 'a.ts', edits: [{ old_string: 'x', new_string: 'y', file_path: 'b.ts' }] }],
    ['Write', { ...WRITE, filePath: 'b.ts' }],
    ['write', { filePath: 'b.ts', file_path: 'a.ts', content: 'y' }],
    ['Edit', { ...EDIT, content: 'evil' }],
    ['Edit', { ...EDIT, newString: 'evil' }],
    ['NotebookEdit', { notebook_path: 'a.ts', new_source: 'y', content: 'z' }],
    ['NotebookEdit', { notebook_path: 'a.ts', new_source: 'y', edit_mode: 'delete' }],
  ])('are none where a call could write something else: %s with %j', (toolName, input) => {
    expect(fileEditsIn(toolName, input)).toEqual([])
  })

  it.each(['Bash', 'mcp__disk__Write', 'write_to', 'constructor', '__proto__', ''])(
    'are none for the tool %j, whose fields are not known',
    (toolName) => {
      for (const input of [WRITE, EDIT]) expect(fileEditsIn(toolName, input)).toEqual([])
    },
  )

  it('are none for inputs of other shapes', () => {
    const others = [
      { command: 'ls' },
      { file_path: 'a.ts' },
      { content: 'y' },
      { file_path: 3, content: 'y' },
      { file_path: 'a.ts', content: ['y'] },
      { file_path: 'a.ts', old_string: 3, new_string: 'y' },
      { file_path: 'a.ts', new_string: 'y' },
      { file_path: 'a.ts', edits: [null, 'y', { old_string: 'x' }] },
      { file_path: 'a.ts', edits: 'y' },
      ['a.ts', 'y'],
      null,
      'a.ts',
    ]
    for (const input of others)
      for (const toolName of ['Write', 'Edit', 'MultiEdit']) expect(fileEditsIn(toolName, input)).toEqual([])
  })
})
