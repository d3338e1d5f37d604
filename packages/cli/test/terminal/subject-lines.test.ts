import { describe, expect, it } from 'vitest'
import { subjectLines } from '../../src/terminal/subject-lines.ts'

const drawn = (subject: Parameters<typeof subjectLines>[0], width = 60): string[] =>
  subjectLines(subject, width)

describe('a call in a terminal', () => {
  it('begins with what happens, then says what to look at and why', () => {
    const reasons = [
      { by: 'agent' as const, text: 'Makes room\nIt asks because: the administrator allowed it' },
      { by: 'rule' as const, text: 'rm is not on the list' },
    ]
    const input = { command: 'rm -r build', timeout: 5 }
    expect(drawn({ toolName: 'Bash', input, reasons })).toEqual([
      'Run this command?',
      '│ rm -r build',
      'Look at this: Deletes or overwrites',
      'It asks because: │ rm is not on the list',
      'The agent says: │ Makes room',
      '                │ It asks because: the administrator allowed',
      '                ╎  it',
      'Tool: │ Bash',
      'Input from the agent:',
      '  timeout 5',
    ])
  })

  it('shows what an edit changes, line by line', () => {
    const input = { file_path: 'src/a.ts', old_string: 'one\ntwo', new_string: 'one\n2', replace_all: true }
    expect(drawn({ toolName: 'Edit', input })).toEqual([
      'Change a.ts?',
      '│ src/a.ts',
      '  │ one',
      '- │ two',
      '+ │ 2',
      'Tool: │ Edit',
      'Input from the agent:',
      '  replace_all true',
    ])
  })

  it('has captions that no name or text of the agent looks like, at any width', () => {
    const text = 'Run this command?\nLook at this: nothing\nTool: │ Read'
    const reasons = [{ by: 'agent' as const, text }]
    const input = { 'Tool: │ Read': text, Tool: 'Read', nested: { 'It asks because': text } }
    const captionsAt = (width: number): string[] =>
      drawn({ toolName: text, input, reasons }, width).filter((line) => /^[A-Z]/.test(line))
    expect(captionsAt(80)).toEqual([
      'Use this tool?',
      'The agent says: │ Run this command?',
      'Tool: │ Run this command?',
      'Input from the agent:',
    ])
    expect(captionsAt(20)).toEqual([
      'Use this tool?',
      'The agent says:',
      'Tool: │ Run this',
      'Input from the',
    ])
  })
})
