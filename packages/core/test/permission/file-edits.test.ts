import { describe, expect, it } from 'vitest'
import { fileEditsIn } from '../../src/permission/file-edits.ts'

describe('the edits of a tool call', () => {
  it.each([
    ['Edit of Claude Code', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, [['x', 'y']]],
    ['Write of Claude Code', { file_path: 'a.ts', content: 'y' }, [[null, 'y']]],
    [
      'MultiEdit of Claude Code',
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
    ['NotebookEdit of Claude Code', { notebook_path: 'a.ts', new_source: 'y' }, [[null, 'y']]],
    ['replace of Gemini CLI', { file_path: 'a.ts', old_string: '', new_string: 'y' }, [[null, 'y']]],
    ['edit of opencode', { filePath: 'a.ts', oldString: 'x', newString: 'y' }, [['x', 'y']]],
    ['write of opencode', { filePath: 'a.ts', content: 'y' }, [[null, 'y']]],
  ])('are read from %s', (_tool, input, edits) => {
    expect(fileEditsIn(input)).toEqual(edits.map(([before, after]) => ({ path: 'a.ts', before, after })))
  })

  it('are none for calls that write no file, and for inputs of other shapes', () => {
    const others = [
      { command: 'ls' },
      { file_path: 'a.ts' },
      { content: 'y' },
      { file_path: 3, content: 'y' },
      { file_path: 'a.ts', content: ['y'] },
      { file_path: 'a.ts', edits: [null, 'y', { old_string: 'x' }] },
      ['a.ts', 'y'],
      null,
      'a.ts',
    ]
    for (const input of others) expect(fileEditsIn(input)).toEqual([])
  })
})
