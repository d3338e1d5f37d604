import { describe, expect, it } from 'vitest'
import { openForm } from './open-form.ts'

const options = [{ label: 'Staging' }, { label: 'Production' }]
const question = { id: 'q', question: 'Where to?', options }

describe('typing while the mark is on an option', () => {
  it('begins an own answer, and what follows is a part of it, digits and spaces too', async () => {
    const form = openForm([question])
    form.press('v2 only')
    expect(form.session.getSnapshot().entered.q).toMatchObject({ selected: [], freeText: 'v2 only' })
    expect(form.lines().join('\n')).toContain('❯ Own answer: v2 only')
    expect(form.sent()).toBeUndefined()
    form.press('return')
    await expect.poll(() => form.sent()?.responses).toMatchObject({ q: { freeText: 'v2 only' } })
  })

  it('goes on with what was typed before', () => {
    const form = openForm([question])
    form.press('down', 'down', 'EU', 'escape', '-west 1')
    expect(form.session.getSnapshot().entered.q).toMatchObject({ freeText: 'EU-west 1' })
  })

  it('keeps the keys of the form: n leads to the note', () => {
    const form = openForm([question])
    form.press('n', 'soon')
    expect(form.session.getSnapshot().entered.q).toMatchObject({ notes: 'soon' })
  })

  it('says so where own words are no answer', () => {
    const form = openForm([{ ...question, allowFreeText: false }])
    form.press('v')
    expect(form.lines().join('\n')).toContain('Own words are no answer here: pick an option.')
    expect(form.session.getSnapshot().entered.q).toBeUndefined()
  })

  it('decides nothing in an approval', () => {
    const approve = [
      { label: 'Allow', value: 'allow' },
      { label: 'Deny', value: 'deny' },
    ]
    const form = openForm([{ ...question, options: approve, allowFreeText: false }], {
      asked: { kind: 'approval', subject: { toolName: 'Bash', input: { command: 'ls' } } } as never,
    })
    form.press('n', 'return')
    expect(form.sent()).toBeUndefined()
  })
})

describe('typing where a person declines', () => {
  it.each(['not now, 2 are off', ' 1'])('says why, and Enter declines: %j', async (reason) => {
    const form = openForm([question])
    form.press('escape', reason)
    expect(form.lines().join('\n')).toContain(`❯ Decline, because: ${reason}`)
    form.press('return')
    await expect.poll(() => form.sent()).toMatchObject({ status: 'declined', reason: reason.trim() })
  })

  it('takes a pasted text too, whose line breaks send nothing', () => {
    const form = openForm([question])
    form.press('escape')
    form.paste('not\nnow')
    expect(form.lines().join('\n')).toMatch(/❯ Decline, because: not\n +now\n/)
    expect(form.sent()).toBeUndefined()
  })
})
