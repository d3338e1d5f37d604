import { AskError } from '@sandagent/core'
import { describe, expect, it } from 'vitest'
import { openForm } from './open-form.ts'

const question = { id: 'q', question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }

describe('an answer that cannot be stored', () => {
  it('is sent again by itself, or by r, and can be taken back', async () => {
    const form = openForm([question])
    form.failWith(new AskError('UNREACHABLE', 'No space left'))
    form.press('2')
    await expect.poll(() => form.lines().join('\n')).toContain('Not sent yet, trying again.')
    expect(form.lines().join('\n')).toContain('r try now · Esc stop trying')
    form.press('1')
    expect(form.session.getSnapshot().entered.q).toMatchObject({ selected: ['B'] })
    form.press('escape')
    expect(form.session.getSnapshot().isEditable).toBe(true)
    form.press('1')
    await expect.poll(() => form.session.getSnapshot().status).toBe('retrying')
    form.failWith(null)
    form.press('r')
    await expect.poll(() => form.session.getSnapshot().status).toBe('sent')
    expect(form.sent()?.responses).toMatchObject({ q: { selected: ['A'] } })
  })

  it('is kept in the form with the reason, where it is refused', async () => {
    const form = openForm([question])
    form.failWith(new AskError('INVALID_ANSWERS', 'This option is not offered\u001b[2J any more'))
    form.press('2')
    await expect.poll(() => form.lines().join('\n')).toContain('This option is not offered any more')
    form.failWith(null)
    form.press('1')
    await expect.poll(() => form.session.getSnapshot().status).toBe('sent')
  })
})
