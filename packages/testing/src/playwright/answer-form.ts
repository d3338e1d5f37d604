import { AskError, checkOptions, questionTitle } from '@sandagent/core/internal'
import type { TestLocator, TestPage } from './page-types.ts'
import { press } from './press.ts'
import { readForm, type ShownForm, sendNow } from './shown-form.ts'
import { type FoundForm, findForm, formSelector } from './wait-for-question.ts'

type ShownQuestion = ShownForm['questions'][number]

/**
 * What is entered, by question: its text or its first line. The label or the value of an option, several in a list,
 * or a text to be typed: of a range `FROM/TO`, of a date and time what the page's clock shows. `null` leaves the question
 * without an answer. Of an approval: the words on the button, and behind it in a list the note.
 */
export type FormAnswers = Readonly<Record<string, string | readonly string[] | null>>

/**
 * Fills in a form of the page and sends it, as a person does: it goes through the steps, and waits while the form ignores
 * clicks because it has just moved. Resolves once the host has the answer, or the page has removed the form.
 *
 * @throws AskError `NOT_FOUND` when no form asks one of these questions; `INVALID_REQUEST` when the form shows a question that
 *   has no answer here; `INVALID_ANSWERS` when the form or the host does not take the answer.
 */
export async function answerForm(page: TestPage, answers: FormAnswers): Promise<void> {
  const found = await findForm(page, Object.keys(answers))
  const { form } = found
  const { isApproval, title } = await form.evaluate(readForm)
  if (isApproval) await decide(form, [answers[nameIn(answers, title)] ?? []].flat())
  else await fillIn(form, answers)
  await whenStored(page, found)
}

/**
 * Declines the question that a form of the page shows. An approval is denied.
 *
 * @param options.question as in `waitForQuestion`
 * @param options.reason what the person says, or the note of an approval
 * @throws AskError as {@link answerForm} does.
 */
export async function declineForm(
  page: TestPage,
  options: { question?: string; reason?: string } = {},
): Promise<void> {
  checkOptions('declineForm: its options', options, { question: true, reason: true })
  const { question, reason } = options
  const found = await findForm(page, question)
  const { form } = found
  const { isApproval } = await form.evaluate(readForm)
  // The first button declines, or denies. In a form of questions, the last one of the next buttons confirms it.
  if (!isApproval) await press(actions(form).first())
  if (reason !== undefined)
    await form.locator(isApproval ? '.sa-body textarea' : '.sa-decline textarea').fill(reason)
  await press(isApproval ? actions(form).first() : await lastAction(form))
  await whenStored(page, found)
}

const actions = (form: TestLocator): TestLocator => form.locator('.sa-footer .sa-actions button')

const lastAction = async (form: TestLocator): Promise<TestLocator> =>
  actions(form).nth((await actions(form).count()) - 1)

/** Answers each question that is shown, and goes on, until the form sends. */
async function fillIn(form: TestLocator, answers: FormAnswers): Promise<void> {
  const done = new Set<number>()
  for (let shown = await read(form); shown && EDITABLE.includes(shown.status); shown = await read(form)) {
    if (shown.problem) throw refused(shown.problem)
    const next = shown.questions.find(({ position }) => !done.has(position))
    if (next) {
      await enter(form, next, answers)
      done.add(next.position)
    } else if (shown.isSendingSoon) return form.evaluate(sendNow)
    else await press(await lastAction(form))
  }
}

/** What the form shows, or `null` if the page has removed it. */
async function read(form: TestLocator): Promise<ShownForm | null> {
  return (await form.count()) === 0 ? null : form.evaluate(readForm)
}

/** The name that the answer to a question has. @throws AskError `INVALID_REQUEST` if there is none */
function nameIn(answers: FormAnswers, title: string): string {
  const name = Object.keys(answers).find((key) => [key, questionTitle({ question: key })].includes(title))
  if (name !== undefined) return name
  throw new AskError(
    'INVALID_REQUEST',
    `The form asks ${JSON.stringify(title)}, and answerForm was given no answer to it. Add one, or null to leave it empty.`,
  )
}

async function enter(form: TestLocator, question: ShownQuestion, answers: FormAnswers): Promise<void> {
  const parts = [answers[nameIn(answers, question.title)] ?? []].flat()
  type Option = ShownQuestion['options'][number]
  const isMeant = ({ label, value }: Option): boolean => parts.includes(label) || parts.includes(value)
  const known = question.options.flatMap(({ label, value }) => [label, value])
  const typed = parts.filter((part) => !known.includes(part)).join(', ')
  const place = form.locator(`.sa-question[data-position="${question.position}"]`)
  const fields = place.locator('.sa-own :is(textarea, input:not(.sa-rate))')
  // A draft may have brought back words and picks.
  for (const [index, text] of (question.typed.length > 1 ? typed.split('/') : [typed]).entries())
    if (text !== (question.typed[index] ?? '')) await fields.nth(index).fill(text)
  // A pick of a single choice may lead to the next question.
  for (const [index, option] of question.options.entries())
    if (question.isMultiple ? isMeant(option) !== option.isChecked : isMeant(option))
      await press(place.locator('.sa-choice').nth(index))
}

async function decide(
  form: TestLocator,
  [decision = '', note]: readonly (string | undefined)[],
): Promise<void> {
  const buttons = (await actions(form).allTextContents()).map((text) => text.trim())
  const index = buttons.indexOf(decision)
  if (index === -1)
    throw new AskError(
      'INVALID_REQUEST',
      `The form has no button ${JSON.stringify(decision)}. It has: ${buttons.join(', ')}. Give the words on a button.`,
    )
  if (note !== undefined) await form.locator('.sa-body textarea').fill(note)
  await press(actions(form).nth(index))
}

/** In these states a person can enter something. */
const EDITABLE = ['waiting', 'saving', 'failed']
/** In these states the host has the answer. */
const STORED = ['sent', 'received', 'declined', 'voted']

/** Waits until nothing is on its way any more. @throws AskError `INVALID_ANSWERS` if the answer did not count. */
async function whenStored(page: TestPage, { form, toolCallId }: FoundForm): Promise<void> {
  const pending = ['waiting', 'saving', 'sending', 'retrying'].map((status) => `[data-status=${status}]`)
  await page.locator(`${formSelector(toolCallId)}:is(${pending.join(', ')})`).waitFor({ state: 'detached' })
  const shown = await read(form)
  if (shown && !STORED.includes(shown.status)) throw refused(shown.problem || shown.state)
}

const refused = (problem: string): AskError =>
  new AskError('INVALID_ANSWERS', `The form does not take the answer. It says: ${problem}`)
