import type { Attachment } from '@sandagent/core'
import { describe, expect, it } from 'vitest'
import { type OpenForm, openForm } from './open-form.ts'

const SEEN = { id: 'seen', question: 'What do you see?', files: {} }
const ONLY_FILES = { ...SEEN, allowFreeText: false }

const fileOf = (name: string): Attachment => ({
  name,
  mediaType: 'image/png',
  size: 1,
  sha256: name.charCodeAt(0).toString(16).padStart(64, '0'),
})

/** A form whose files have the names that are typed. `missing` is not there. */
function formWith(question: typeof SEEN, { isSlow = false, view = { takesFiles: true } as object } = {}) {
  let go = (): void => {}
  const form: OpenForm = openForm([question], {
    view,
    attach: async ({ id }, typed) => {
      if (isSlow) await new Promise<void>((resolve) => (go = resolve))
      if (typed === 'missing') return 'There is no file missing.'
      const response = form.session.getSnapshot().entered[id]
      const before = response && 'files' in response ? (response.files ?? []) : []
      form.session.enter(id, { files: [...before, fileOf(typed)] })
      return null
    },
  })
  return { form, go: () => go(), drawn: () => form.lines().join('\n') }
}

describe('a question that takes files', () => {
  it('says before what may be given, and who can read it', () => {
    const files = { max: 2, maxBytes: 1_500_000, types: ['image/png', 'text/plain'] }
    const { drawn } = formWith({ ...SEEN, files })
    expect(drawn().replaceAll(/\s+/g, ' ')).toContain(
      'Up to 2 files · PNG, TXT · 1.5 MB each at most. The agent can read a file as soon as it is added.',
    )
    expect(formWith({ ...SEEN, files }, { view: {} }).drawn()).not.toContain('Up to 2 files')
  })

  it('has a row for them, where Enter adds a path, and Backspace takes the last file away', async () => {
    const { form, drawn } = formWith(SEEN)
    form.press('down', 'a.png')
    expect(drawn()).toContain('❯ File: a.png')
    expect(drawn()).toContain('Enter add')
    form.press('return')
    await expect.poll(drawn).toContain('File: a.png. Backspace takes the last one away')
    form.press('b.png', 'return')
    await expect.poll(drawn).toContain('File: a.png, b.png.')
    form.press('backspace')
    expect(drawn()).toContain('File: a.png. ')
    form.press('return')
    await expect
      .poll(() => form.sent())
      .toMatchObject({ status: 'completed', responses: { seen: { files: [fileOf('a.png')] } } })
  })

  it('says why a file is not added, and keeps its path', async () => {
    const { form, drawn } = formWith(SEEN)
    form.press('down', 'missing', 'return')
    await expect.poll(drawn).toContain('There is no file missing.')
    expect(drawn()).toContain('File: missing')
    expect(form.sent()?.status).not.toBe('completed')
  })

  it('is not sent while a path is typed that nobody added, or a file is on its way', async () => {
    const { form, drawn, go } = formWith(SEEN, { isSlow: true })
    form.press('A dog', 'down', 'a.png', 'up', 'return')
    expect(drawn()).toContain('press Enter there')
    form.press('down', 'return', 'return')
    expect(drawn()).toContain('The file is being added.')
    form.press('up', 'return')
    expect(form.sent()?.status).not.toBe('completed')
    go()
    await expect.poll(drawn).toContain('File: a.png. ')
    form.press('return')
    await expect.poll(() => form.sent()?.status).toBe('completed')
  })

  it('that files alone can answer has no field for words', async () => {
    const { form, drawn } = formWith(ONLY_FILES)
    expect(drawn()).not.toContain('Answer:')
    form.press('return')
    expect(drawn()).toContain('Type the path of a file. Esc declines.')
    form.press('a.png', 'return')
    await expect.poll(drawn).toContain('File: a.png. ')
    form.press('return')
    await expect.poll(() => form.sent()?.status).toBe('completed')
  })

  it('says that it takes none where nobody can store them', () => {
    expect(formWith(SEEN, { view: {} }).drawn()).toContain('cannot be given here: answer on the page')
  })
})

it('a question for a secret says before who can read it', () => {
  const drawn = openForm([{ question: 'The token?', secret: true }])
    .lines()
    .join('\n')
  expect(drawn).toContain('Encrypted here for the agent’s tools alone. It is in no draft.')
})
