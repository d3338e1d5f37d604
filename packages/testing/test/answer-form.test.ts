// @vitest-environment jsdom

import { refusalOf } from '@sandagent/fixtures/records/asked-questions.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { answerForm, declineForm } from '../src/playwright/answer-form.ts'
import type { TestLocator, TestPage } from '../src/playwright/page-types.ts'
import { waitForQuestion } from '../src/playwright/wait-for-question.ts'

const textOf = (element: Element): string => (element.textContent ?? '').replace(/\s+/g, ' ').trim()

/** As Playwright finds elements. Its `:text-is()` is no selector of CSS. */
function findAll(from: ParentNode, selector: string): HTMLElement[] {
  const plain = selector.replace(/:text-is\(("(?:[^"\\]|\\.)*")\)/g, (_, quoted: string) => {
    const mark = `data-text-${[...quoted].map((letter) => letter.charCodeAt(0).toString(16)).join('')}`
    for (const element of document.querySelectorAll('*'))
      if (textOf(element) === JSON.parse(quoted)) element.setAttribute(mark, '')
    return `[${mark}]`
  })
  return [...from.querySelectorAll<HTMLElement>(plain)]
}

/** Stands in for a locator of Playwright, without a browser. It waits for an element for so many milliseconds. */
function locatorOf(find: () => HTMLElement[], patienceMs: number): TestLocator {
  const narrowed = (narrow: () => HTMLElement[]): TestLocator => locatorOf(narrow, patienceMs)
  const one = (): HTMLElement => {
    const [element] = find()
    if (!element) throw new Error('There is no such element')
    return element
  }
  return {
    locator: (selector) => narrowed(() => find().flatMap((element) => findAll(element, selector))),
    first: () => narrowed(() => find().slice(0, 1)),
    nth: (index) => narrowed(() => find().slice(index, index + 1)),
    click: async () => one().click(),
    tap: async () => one().click(),
    async fill(text) {
      const area = one() as HTMLTextAreaElement
      area.value = text
    },
    count: async () => find().length,
    allTextContents: async () => find().map((element) => element.textContent ?? ''),
    scrollIntoViewIfNeeded: async () => {},
    waitFor: ({ state } = {}) =>
      vi.waitFor(
        () => {
          if ((find().length === 0) !== (state === 'detached')) throw new Error('It did not come')
        },
        { timeout: patienceMs, interval: 5 },
      ),
    evaluate: async (read) => read(one()),
    async evaluateHandle(read) {
      const value = read(one())
      return { evaluate: async (look) => look(value) }
    },
  }
}

const pageThatWaits = (patienceMs: number): TestPage => ({
  locator: (selector) => locatorOf(() => findAll(document, selector), patienceMs),
})

const page = pageThatWaits(30_000)

afterEach(() => {
  document.body.innerHTML = ''
})

const radio = (label: string, value: string): string =>
  `<div class="sa-option"><label class="sa-choice"><input type="radio" value="${value}"><span class="sa-label">${label}</span></label></div>`
const box = (label: string, isChecked = false): string =>
  `<div class="sa-option"><label class="sa-choice"><input type="checkbox" value="${label}"${isChecked ? ' checked' : ''}><span class="sa-label">${label}</span></label></div>`
const question = (position: number, title: string, options: string): string =>
  `<fieldset class="sa-question" data-position="${position}"><legend class="sa-legend">${title}</legend>${options}
    <div class="sa-own"><textarea></textarea></div></fieldset>`

const LANGUAGE = question(0, 'Which language?', radio('TypeScript', 'ts') + radio('Python', 'py'))
const FEATURES = question(1, 'Which features?', box('Search', true) + box('Export') + box('Mail', true))

/** What happens in the form when one of its buttons is pressed. */
type OnPress = (form: HTMLElement, button: string) => void

const become =
  (status: string): OnPress =>
  (form) => {
    form.dataset.status = status
  }

/** Shows a form in the page. */
function show(
  content: string,
  {
    buttons = ['Decline', 'Send'],
    onPress = become('sent'),
    id = 'c1',
    isDisabled = false,
  }: { buttons?: string[]; onPress?: OnPress; id?: string; isDisabled?: boolean } = {},
): HTMLElement {
  const form = document.createElement('section')
  form.className = 'sa-ask'
  form.dataset.toolCallId = id
  form.dataset.status = 'waiting'
  form.innerHTML = `<p role="status"></p>
    <fieldset class="sa-fields"${isDisabled ? ' disabled' : ''}><div class="sa-body">${content}</div>
      <div class="sa-footer"><div class="sa-actions">${buttons.map((text) => `<button type="button"> ${text} </button>`).join('')}</div></div>
    </fieldset>`
  form.addEventListener('click', ({ target }) => {
    const button = (target as HTMLElement).closest('button')
    if (button) onPress(form, textOf(button))
  })
  document.body.append(form)
  return form
}

const picked = (form: HTMLElement): string[] =>
  [...form.querySelectorAll<HTMLInputElement>('input:checked')].map(({ value }) => value)
const typed = (form: HTMLElement): string[] =>
  [...form.querySelectorAll('textarea')].map(({ value }) => value)

describe('an answer to a form', () => {
  it('picks options by their labels or values, types the rest, and sends', async () => {
    const pressed: string[] = []
    const form = show(LANGUAGE + FEATURES, {
      onPress(of, button) {
        pressed.push(button)
        become('sent')(of, button)
      },
    })
    await answerForm(page, {
      'Which language?': 'py',
      'Which features?': ['Search', 'Export', 'Fax', 'Chat'],
    })
    expect(picked(form)).toEqual(['py', 'Search', 'Export'])
    expect(typed(form)).toEqual(['', 'Fax, Chat'])
    expect(pressed).toEqual(['Send'])
  })

  it('leaves a question empty, and takes its first line for its name', async () => {
    const form = show(LANGUAGE + FEATURES)
    await answerForm(page, { 'Which language?\nIt must be typed.': 'TypeScript', 'Which features?': null })
    expect(picked(form)).toEqual(['ts'])
    expect(typed(form)).toEqual(['', ''])
  })

  it('goes through the steps of a form', async () => {
    const pressed: string[] = []
    const form = show(LANGUAGE, {
      buttons: ['Decline', 'Next'],
      onPress(of, button) {
        pressed.push(button)
        const body = of.querySelector('.sa-body')
        if (pressed.length === 1 && body) body.innerHTML = FEATURES
        else become('received')(of, button)
      },
    })
    await answerForm(page, { 'Which language?': 'Python', 'Which features?': [] })
    expect(pressed).toEqual(['Next', 'Next'])
    expect(picked(form)).toEqual([])
  })

  it('sends at once what the form would send in a moment', async () => {
    const pressed: string[] = []
    const form = show(LANGUAGE, {
      buttons: ['Undo', 'Send now'],
      onPress(of, button) {
        pressed.push(button)
        become('sent')(of, button)
      },
    })
    form.querySelector('input')?.addEventListener('click', () => {
      form.insertAdjacentHTML('beforeend', '<p class="sa-countdown"></p>')
    })
    await answerForm(page, { 'Which language?': 'TypeScript' })
    expect(pressed).toEqual(['Send now'])
  })

  it.each(['sent', 'received', 'voted', 'declined'])('is done when the form is %s', async (status) => {
    show(LANGUAGE, { onPress: become(status) })
    await answerForm(page, { 'Which language?': 'Python' })
  })

  it('is done when the page has removed the form', async () => {
    show(LANGUAGE, { onPress: (form) => form.remove() })
    await answerForm(page, { 'Which language?': 'Python' })
    expect(document.querySelector('.sa-ask')).toBeNull()
  })

  it('is waited for while it is on its way', async () => {
    const form = show(LANGUAGE, { onPress: become('sending') })
    let isDone = false
    const answered = answerForm(page, { 'Which language?': 'Python' }).finally(() => {
      isDone = true
    })
    await vi.waitFor(() => expect(form.dataset.status).toBe('sending'))
    form.dataset.status = 'retrying'
    expect(isDone).toBe(false)
    form.dataset.status = 'sent'
    await answered
  })

  it('is refused with what the form says', async () => {
    show(LANGUAGE, {
      onPress: (form) => form.insertAdjacentHTML('beforeend', '<p class="sa-problem">Pick one</p>'),
    })
    const answer = { 'Which language?': null }
    expect(await refusalOf(answerForm(page, answer))).toMatchObject({
      code: 'INVALID_ANSWERS',
      message: 'The form does not take the answer. It says: Pick one',
    })
    document.body.innerHTML = ''
    show(LANGUAGE, {
      onPress(form) {
        become('closed')(form, '')
        const status = form.querySelector('[role=status]')
        if (status) status.textContent = 'Too late'
      },
    })
    expect(await refusalOf(answerForm(page, answer))).toMatchObject({
      code: 'INVALID_ANSWERS',
      message: expect.stringContaining('Too late'),
    })
  })

  it('takes the place of words that a draft has brought back', async () => {
    for (const [answer, words] of [
      [['Search'], ''],
      [null, ''],
      ['Fax', 'Fax'],
    ] as const) {
      document.body.innerHTML = ''
      const form = show(FEATURES)
      const own = form.querySelector('textarea')
      if (own) own.value = 'Phone'
      await answerForm(page, { 'Which features?': answer })
      expect(typed(form)).toEqual([words])
    }
  })

  it('needs an entry for each question that the form shows', async () => {
    show(LANGUAGE + FEATURES)
    expect(await refusalOf(answerForm(page, { 'Which language?': 'Python' }))).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('"Which features?"'),
    })
  })
})

describe('an approval', () => {
  const CALL = '<h2 class="sa-legend">May it?</h2><pre class="sa-call"></pre><textarea></textarea>'
  const BUTTONS = ['Deny', 'Allow once']

  it('is decided by the words on a button, with a note', async () => {
    for (const [answer, button, note] of [
      ['Allow once', 'Allow once', ''],
      [['Deny', 'Use the copy'], 'Deny', 'Use the copy'],
    ] as const) {
      document.body.innerHTML = ''
      const pressed: string[] = []
      const form = show(CALL, {
        buttons: BUTTONS,
        onPress(of, text) {
          pressed.push(text)
          become('sent')(of, text)
        },
      })
      await answerForm(page, { 'May it?': answer })
      expect(pressed).toEqual([button])
      expect(typed(form)).toEqual([note])
    }
  })

  it('is decided by its own entry, whatever the others are', async () => {
    const pressed: string[] = []
    show(CALL, {
      buttons: BUTTONS,
      onPress(of, text) {
        pressed.push(text)
        become('sent')(of, text)
      },
    })
    await answerForm(page, { 'May another?': 'Allow once', 'May it?': 'Deny' })
    expect(pressed).toEqual(['Deny'])
  })

  it('has no other buttons than those it shows', async () => {
    show(CALL, { buttons: BUTTONS })
    for (const answer of ['Perhaps', null, []])
      expect(await refusalOf(answerForm(page, { 'May it?': answer }))).toMatchObject({
        code: 'INVALID_REQUEST',
        message: expect.stringContaining('It has: Deny, Allow once.'),
      })
  })

  it('is denied by a decline, with the reason as its note', async () => {
    const pressed: string[] = []
    const form = show(CALL, {
      buttons: BUTTONS,
      onPress(of, text) {
        pressed.push(text)
        become('sent')(of, text)
      },
    })
    await declineForm(page, { reason: 'Use the copy' })
    expect(pressed).toEqual(['Deny'])
    expect(typed(form)).toEqual(['Use the copy'])
  })
})

describe('a decline', () => {
  const declining = () => {
    const pressed: string[] = []
    const form = show(LANGUAGE, {
      onPress(of, button) {
        pressed.push(button)
        if (button === 'Confirm') return become('declined')(of, button)
        const actions = of.querySelector('.sa-actions')
        if (actions)
          actions.innerHTML = '<button type="button">Back</button><button type="button">Confirm</button>'
        of.insertAdjacentHTML('beforeend', '<div class="sa-decline"><textarea></textarea></div>')
      },
    })
    return {
      form,
      pressed,
      reason: () => form.querySelector<HTMLTextAreaElement>('.sa-decline textarea')?.value,
    }
  }

  it('is confirmed, without a reason if none is given', async () => {
    const { pressed, reason } = declining()
    await declineForm(page)
    expect(pressed).toEqual(['Decline', 'Confirm'])
    expect(reason()).toBe('')
  })

  it('is for the form with this question, and has its reason', async () => {
    const other = show(FEATURES, { id: 'c0' })
    const { pressed, reason } = declining()
    await declineForm(page, { question: 'Which language?', reason: 'Too early' })
    expect(pressed).toEqual(['Decline', 'Confirm'])
    expect(reason()).toBe('Too early')
    expect(other.dataset.status).toBe('waiting')
  })
})

describe('a form that is waited for', () => {
  const idOf = async (question?: string) =>
    (await waitForQuestion(page, question)).evaluate((form: HTMLElement) => form.dataset.toolCallId)

  it('is the first one that can be filled in, or the one that asks the question', async () => {
    show(LANGUAGE, { id: 'gone', isDisabled: true })
    show(FEATURES, { id: 'one' })
    show(LANGUAGE, { id: 'a "quoted" id' })
    expect(await idOf()).toBe('one')
    expect(await idOf('Which language?')).toBe('a "quoted" id')
    expect(await idOf('Which features?\nSeveral may be picked.')).toBe('one')
  })

  it('stays the same when another one comes before it', async () => {
    show(LANGUAGE, { id: 'one' })
    const form = await waitForQuestion(page, 'Which language?')
    document.body.prepend(show(LANGUAGE, { id: 'two' }))
    expect(await form.evaluate((found: HTMLElement) => found.dataset.toolCallId)).toBe('one')
  })

  it('that does not come is an error that names what the page shows', async () => {
    expect(await refusalOf(waitForQuestion(pageThatWaits(0)))).toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringMatching(/asks a question and .* The page shows: no form at all\./),
    })
    show(LANGUAGE + FEATURES)
    const refusal = await refusalOf(waitForQuestion(pageThatWaits(0), 'Which colour?'))
    expect(refusal).toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('one of the questions "Which colour?"'),
      cause: expect.any(Error),
    })
    expect(refusal.message).toContain('The page shows: "Which language?", "Which features?".')
  })
})
