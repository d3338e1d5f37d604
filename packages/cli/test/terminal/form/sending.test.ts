import { AskError } from '@sandagent/core'
import { describe, expect, it } from 'vitest'
import { openForm } from './open-form.ts'

const question = { id: 'q', question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }

describe('an answer that cannot be stored', () => {
  it('is sent again by itself, or by r, and can be taken back', async () => {
    const form = openForm([question])
    form.failWith(new AskError('UNREACHABLE', 'No space left'))
    form.press('2', 'return')
    await expect
      .poll(() => form.lines().join(' '))
      .toContain('Not sent yet, trying again. What you entered is kept. No space left')
    expect(form.lines().join('\n')).toContain('r try now · Esc stop trying')
    form.press('1', 'return')
    expect(form.session.getSnapshot().entered.q).toMatchObject({ selected: ['B'] })
    form.press('escape')
    expect(form.session.getSnapshot().isEditable).toBe(true)
    form.press('1', 'return')
    await expect.poll(() => form.session.getSnapshot().status).toBe('retrying')
    form.failWith(null)
    form.press('r')
    await expect.poll(() => form.session.getSnapshot().status).toBe('sent')
    expect(form.sent()?.responses).toMatchObject({ q: { selected: ['A'] } })
  })

  it('is kept in the form with the reason, where it is refused', async () => {
    const form = openForm([question])
    form.failWith(new AskError('INVALID_ANSWERS', 'This option is not offered\u001b[2J any more'))
    form.press('2', 'return')
    await expect.poll(() => form.lines().join('\n')).toContain('This option is not offered any more')
    form.failWith(null)
    form.press('1', 'return')
    await expect.poll(() => form.session.getSnapshot().status).toBe('sent')
  })
})

describe('an answer that is sent', () => {
  const told = (form: ReturnType<typeof openForm>) => form.lines().join('\n')

  it('leaves after a pause that says what it is, and is taken back by z or Esc', async () => {
    const form = openForm([question], { undoMs: 60_000 })
    for (const key of ['z', 'escape']) {
      form.press('2', 'return')
      await expect.poll(() => told(form)).toContain('Sends in 60 s: B · Undo (z or Esc)')
      expect(told(form)).toContain('z or Esc undo · Enter send now')
      form.press('1', key)
      await expect.poll(() => told(form)).not.toContain('Sends in')
      expect(form.sent()).toMatchObject({ status: 'pending', responses: { q: { selected: ['B'] } } })
    }
    form.press('1', 'return')
    await expect.poll(() => told(form)).toContain('Sends in 60 s: A')
    form.press('return')
    await expect
      .poll(() => form.sent())
      .toMatchObject({ status: 'completed', responses: { q: { selected: ['A'] } } })
  })

  it('is not sent by a number alone', async () => {
    const form = openForm([question])
    form.press('2')
    await form.session.save()
    expect(form.sent()?.status).not.toBe('completed')
    expect(form.session.getSnapshot()).toMatchObject({
      status: 'saving',
      entered: { q: { selected: ['B'] } },
    })
  })

  it('says how long a way back there is, whatever the answer draws', async () => {
    const options = [{ label: `${'long '.repeat(40)} · Undo (q)` }, { label: 'B' }]
    const form = openForm([{ ...question, options }], { columns: 70, undoMs: 60_000 })
    form.press('1', 'return')
    await expect.poll(() => told(form)).toMatch(/^Sends in 60 s: long long .*… · Undo \(z or Esc\)$/m)
  })

  it('is no option that was not chosen, after a note', async () => {
    const form = openForm([question])
    form.press('n', 'soon', 'return', 'return')
    expect(form.session.getSnapshot()).toMatchObject({
      isEditable: true,
      entered: { q: { selected: ['A'] } },
    })
    expect(form.sent()?.status).not.toBe('completed')
  })
})
