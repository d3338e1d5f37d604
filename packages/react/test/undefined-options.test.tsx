import { cleanup, render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { type AskedCall, AskUserQuestion, ToolApproval, type ToolApprovalProps } from '../src/index.ts'
import type { FormOptions } from './form/form-fixture.tsx'
import { LANGUAGE, partAsking } from './question-card.tsx'

/** Every optional field of a type, set to `undefined`. */
type Unset<T> = { [Name in keyof T as undefined extends T[Name] ? Name : never]-?: undefined }

const hook = {
  onAnswer: undefined,
  transport: undefined,
  userId: undefined,
  answerEndpoint: undefined,
  extraBody: undefined,
  headers: undefined,
  fetch: undefined,
  onUnauthorized: undefined,
}
const labels = { send: undefined }
const looks = { labels: undefined, components: undefined, className: undefined }

const form: Unset<FormOptions> = {
  ...hook,
  ...looks,
  autoSubmit: undefined,
  undoMs: undefined,
  layout: undefined,
  previewFormat: undefined,
  notify: undefined,
  keys: undefined,
}
const approval: Unset<Omit<ToolApprovalProps, keyof AskedCall>> = { ...hook, ...looks, respond: undefined }

const part = { ...partAsking(LANGUAGE), state: 'output-available' }
const htmlOf = (props: Partial<FormOptions>): string => {
  const { container } = render(<AskUserQuestion part={part} {...props} />)
  const html = container.innerHTML.replace(/_r_\w+_|:r\w+:/g, '')
  cleanup()
  return html
}

it('takes an undefined option for a missing one', () => {
  const html = htmlOf({})
  expect(htmlOf(form)).toBe(html)
  expect(htmlOf({ labels, components: { Summary: undefined } })).toBe(html)
  expect(render(<ToolApproval part={part} {...approval} />).container.textContent).toBe('')
})
