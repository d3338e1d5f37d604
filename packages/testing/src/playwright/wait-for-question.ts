import { AskError, questionTitle } from '@sandagent/core/internal'
import type { TestLocator, TestPage } from './page-types.ts'

/**
 * Waits until a form with this question can be filled in, as long as Playwright waits for an element.
 *
 * @param question its text, or its first line. Of a form with steps: its first question. Default: any question
 * @returns the form: the element that holds the question and all that belongs to it
 * @throws AskError `NOT_FOUND` with the questions that the page shows.
 */
export async function waitForQuestion(page: TestPage, question?: string): Promise<TestLocator> {
  return (await findForm(page, question)).form
}

/** A form of the page: the element, and the call that it shows. */
export interface FoundForm {
  form: TestLocator
  toolCallId: string
}

/** The same for one of several questions. */
export async function findForm(page: TestPage, question?: string | readonly string[]): Promise<FoundForm> {
  const names = [question ?? []].flat()
  const titles = [...new Set(names.flatMap((name) => [name, questionTitle({ question: name })]))]
  const isAsked = titles.map((title) => `:text-is(${JSON.stringify(title)})`).join(', ')
  const which = names.length === 0 ? '' : `:has(:is(.sa-legend, legend, label):is(${isAsked}))`
  const found = page.locator(`section.sa-ask:has(.sa-fields:enabled)${which}`).first()
  try {
    await found.waitFor()
  } catch (cause) {
    throw new AskError('NOT_FOUND', await nothingFound(page, names), { cause })
  }
  const toolCallId = await found.evaluate((form) => form.dataset.toolCallId)
  return { form: page.locator(formSelector(toolCallId)).first(), toolCallId }
}

export const formSelector = (toolCallId: string): string =>
  `section.sa-ask[data-tool-call-id=${JSON.stringify(toolCallId)}]`

async function nothingFound(page: TestPage, names: readonly string[]): Promise<string> {
  const shown = await page.locator('section.sa-ask .sa-legend').allTextContents()
  const wanted = names.length === 0 ? 'a question' : `one of the questions ${quoted(names)}`
  const there = shown.length === 0 ? 'no form at all' : quoted(shown)
  return `No form of the page asks ${wanted} and can be filled in. The page shows: ${there}. Check the text, and that nothing else keeps the form from being filled in.`
}

const quoted = (texts: readonly string[]): string => texts.map((text) => JSON.stringify(text)).join(', ')
