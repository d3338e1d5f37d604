import { type ApprovalSubject, approvalQuestion, sameJson } from '@sandagent/core/internal'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beginEdit, changedCall } from '../../../src/terminal/form/edit/call-edit.ts'
import { type OpenForm, openForm } from './open-form.ts'

const opened = (
  input: unknown,
  size: { columns?: number; rows?: number } = {},
  toolName = 'Bash',
): OpenForm =>
  openForm([approvalQuestion(toolName)], {
    ...size,
    asked: { kind: 'approval', subject: { toolName, input, editable: true } },
  })
const sentInput = ({ sent }: OpenForm): unknown => {
  const response = sent()?.responses.permission
  return response && 'selected' in response && sent()?.status === 'completed' ? [response.input] : 'nothing'
}
const text = (form: OpenForm): string => form.lines().join('\n')

/** Reads to the end, and returns all lines that were shown. */
function readAll(form: OpenForm): string[] {
  const seen: string[] = []
  for (let more = true; more; ) {
    seen.push(...form.lines())
    more = text(form).includes('Nothing can be allowed')
    if (more) form.press(' ')
  }
  return seen
}

describe('the text of a call', () => {
  const subjects: fc.Arbitrary<ApprovalSubject> = fc.record({
    toolName: fc.constantFrom('Bash', 'WebFetch', 'shell', 'other'),
    input: fc.oneof(
      fc.record({ command: fc.string({ unit: 'binary' }), more: fc.json() }),
      fc.record({ url: fc.string(), command: fc.constantFrom('', 'ls') }, { requiredKeys: ['url'] }),
      fc.jsonValue(),
    ),
    editable: fc.constant(true as const),
  })

  it('makes the same call again where nothing was changed in it', () => {
    fc.assert(
      fc.property(subjects, (subject) => {
        const changed = changedCall(beginEdit(subject), subject)
        expect(changed).toEqual({ fault: expect.stringContaining('Nothing is changed yet') })
      }),
      { numRuns: 1000 },
    )
  })

  it('makes the call that another edit has made, too', () => {
    fc.assert(
      fc.property(subjects, fc.dictionary(fc.string(), fc.jsonValue()), (subject, edited) => {
        const kept = JSON.parse(JSON.stringify(edited)) as unknown
        fc.pre(!sameJson(kept, subject.input))
        const changed = changedCall(beginEdit(subject, kept), subject)
        expect(changed).toEqual({ ...subject, input: kept })
      }),
      { numRuns: 500 },
    )
  })
})

describe('a form in which a call is edited', () => {
  it('takes a paste as text, and allows nothing by one', async () => {
    const form = opened({ command: 'ls' })
    form.press('c')
    form.paste('\u001b[2J\r\n; rm \u202ex')
    form.paste('1')
    expect(text(form)).not.toContain('\u001b')
    form.press('return')
    expect(text(form)).toContain('rm <U+202E>x1')
    form.paste('1')
    form.press('return')
    expect(text(form)).toContain('Nothing is marked yet')
    form.press('1', 'return')
    await expect.poll(() => sentInput(form)).toEqual([{ command: 'ls\u001b[2J\r\n; rm \u202ex1' }])
  })

  it('shows all of a long change before it can be allowed, and begins anew at another width', async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index} \u001b[31m`)
    const form = opened({ content: lines.join('\n') }, { rows: 200 }, 'Note')
    form.press('c')
    expect(form.lines().length).toBeLessThan(200)
    form.press('right', 'end')
    expect(text(form)).toMatch(/… \d+ lines? (above|below)/)
    form.press('return')
    expect(text(form)).toContain('Nothing is changed yet')
    form.press('home', 'ctrl-k')
    form.press(`{"content": "${'hidden\\n'.repeat(30)}end"}`)
    form.press('down', 'ctrl-k', 'delete', 'ctrl-k', 'delete', 'ctrl-k', 'return')
    form.press('1', 'return')
    expect(sentInput(form)).toBe('nothing')
    const seen = readAll(form)
    expect(seen.filter((line) => /- │ line \d+ <U\+001B>\[31m$/.test(line))).toHaveLength(10_000)
    expect(seen.join('\n')).not.toContain('\u001b')
    form.model.resize({ columns: 60, rows: 40 })
    form.press('1', 'return')
    expect(text(form)).toContain('There is more to read')
    readAll(form)
    form.press('1', 'return')
    await expect.poll(() => sentInput(form)).toEqual([{ content: `${'hidden\n'.repeat(30)}end` }])
  })

  it('fits every terminal, with the cursor in sight', () => {
    const form = opened({ command: Array.from({ length: 300 }, (_, index) => `echo ${index}`).join('\n') })
    form.press('c')
    for (let rows = 5; rows < 60; rows += 1) {
      form.model.resize({ columns: 40 + rows, rows })
      form.press('up')
      const { lines, cursor } = form.model.getDrawing()
      expect(lines.length).toBeLessThan(rows)
      expect(cursor?.y).toBeLessThan(lines.length)
      expect(lines[cursor?.y ?? 0]).toMatch(/^ {2}echo \d+$/)
    }
  })

  it('sends no edit that another form of the person keeps, unless it is looked at here', async () => {
    const form = opened({ command: 'ls' })
    form.session.setInput('permission', { command: 'rm -rf /' })
    expect(text(form)).toMatch(/Changed to this, which “Allow once” leaves out:[\s\S]*rm -rf/)
    form.press('down', 'return')
    expect(text(form)).toMatch(/The change is left out[\s\S]*Enter/)
    expect(text(form)).not.toContain('rm -rf')
    form.press('return')
    await expect.poll(() => sentInput(form)).toEqual([undefined])
    const other = opened({ command: 'ls' })
    other.session.setInput('permission', { command: 'ls -l' })
    other.press('c')
    expect(text(other)).toContain('  ls -l')
    other.press('return', '1', 'return')
    await expect.poll(() => sentInput(other)).toEqual([{ command: 'ls -l' }])
  })
})
