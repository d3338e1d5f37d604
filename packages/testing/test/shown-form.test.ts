// @vitest-environment jsdom

import { expect, it } from 'vitest'
import type { PageElement } from '../src/playwright/page-types.ts'
import { readForm, sendNow } from '../src/playwright/shown-form.ts'

/** A form with this content. */
function formOf(content: string, attributes = 'data-status="waiting"'): PageElement & Element {
  document.body.innerHTML = `<div class="form" ${attributes}>${content}</div>`
  return document.querySelector('.form') as unknown as PageElement & Element
}

const option = (label: string, attributes: string): string =>
  `<div class="sa-option"><label><input ${attributes}><span class="sa-label"> ${label} </span></label></div>`

it('a form is read as it is shown', () => {
  const form = formOf(`
    <p role="status"> Not
      sent </p>
    <fieldset class="sa-question" data-position="0">
      <div><label>A label further down</label></div>
      <legend class="sa-legend">Which   language?</legend>
      ${option('A', 'type="radio" value="a" checked')}${option('B', 'type="radio" value="b"')}
    </fieldset>
    <div class="sa-question" data-position="2">
      <label>Which features?</label>
      <div class="sa-own"><textarea>A fax</textarea></div>
      ${option('C', 'type="checkbox" value="c"')}
      <div class="sa-option"></div>
    </div>
    <div class="sa-question" data-position="3"><input type="checkbox"></div>
    <div class="sa-problem">No answer</div>`)
  expect(readForm(form)).toEqual({
    status: 'waiting',
    state: 'Not sent',
    questions: [
      {
        position: 0,
        title: 'Which language?',
        options: [
          { label: 'A', value: 'a', isChecked: true },
          { label: 'B', value: 'b', isChecked: false },
        ],
        isMultiple: false,
        typed: [],
      },
      {
        position: 2,
        title: 'Which features?',
        options: [
          { label: 'C', value: 'c', isChecked: false },
          { label: '', value: '', isChecked: false },
        ],
        isMultiple: true,
        typed: ['A fax'],
      },
      { position: 3, title: '', options: [], isMultiple: false, typed: [] },
    ],
    title: 'Which language?',
    isApproval: false,
    isSendingSoon: false,
    problem: 'No answer',
  })
})

it('an empty form has empty texts', () => {
  expect(readForm(formOf('', ''))).toEqual({
    status: '',
    state: '',
    questions: [],
    title: '',
    isApproval: false,
    isSendingSoon: false,
    problem: '',
  })
})

it('a form tells whether it asks for an approval, and whether it is about to send', () => {
  expect(readForm(formOf('<pre class="sa-call"></pre>'))).toMatchObject({
    isApproval: true,
    isSendingSoon: false,
  })
  expect(readForm(formOf('<p class="sa-countdown"></p>'))).toMatchObject({
    isApproval: false,
    isSendingSoon: true,
  })
})

it('the last button sends what waits to be sent, and nothing else is pressed', () => {
  const pressed: (string | null)[] = []
  const buttons = '<button>Undo</button><button>Send</button>'
  const footer = `<div class="sa-footer"><div class="sa-actions">${buttons}</div></div><button>Other</button>`
  const send = (content: string): void => {
    const form = formOf(content)
    for (const button of form.querySelectorAll('button'))
      button.addEventListener('click', () => pressed.push(button.textContent), { once: true })
    sendNow(form)
  }
  send(footer)
  expect(pressed).toEqual([])
  send(`<p class="sa-countdown"></p>${footer}`)
  expect(pressed).toEqual(['Send'])
  send('<p class="sa-countdown"></p>')
  expect(pressed).toEqual(['Send'])
})
