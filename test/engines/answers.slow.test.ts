import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Responses } from '@sandagent/core'
import { listQuestions, submitAnswer } from '@sandagent/sdk'
import { expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { describeInEngines } from '../support/engines/engines.ts'
import { askOnPage, type QuestionPage, type QuestionPageOptions } from '../support/engines/question-page.ts'
import type { Tab } from '../support/engines/tab.ts'

describeInEngines('a question', (openTab) => {
  async function ask(kind: string, options: QuestionPageOptions = {}): Promise<QuestionPage & { tab: Tab }> {
    const page = await askOnPage(kind, options)
    const tab = await openTab()
    await tab.driver.goto(page.url)
    return { ...page, tab }
  }
  const answered = async ({ outcome }: QuestionPage, responses: Responses): Promise<void> =>
    expect(await outcome).toMatchObject({ kind: 'answered', responses })

  it('is answered by one click', async () => {
    const page = await ask('Single choice')
    await page.tab.click('radio', 'PDF')
    await answered(page, { format: { selected: ['PDF'], source: 'human' } })
    await page.tab.reads('Received by the agent')
  })

  it('is answered by a number', async () => {
    const page = await ask('Single choice')
    await page.tab.tabTo('radio', 'HTML')
    await page.tab.press('3')
    await answered(page, { format: { selected: ['Markdown'], source: 'human' } })
  })

  it('is answered in own words', async () => {
    const page = await ask('Single choice')
    await page.tab.fill(/^Type your own answer/, 'A poem, “short”')
    await page.tab.press('Enter')
    await answered(page, { format: { selected: [], freeText: 'A poem, “short”', source: 'human' } })
  })

  it('is answered by several options and a note', async () => {
    const page = await ask('Multiple choice')
    const { tab } = page
    await tab.click('checkbox', 'Summary')
    await tab.click('checkbox', 'Open points')
    await tab.click('button', 'Add a note')
    await tab.type('Short, please')
    await tab.click('button', 'Send answer')
    await answered(page, {
      sections: { selected: ['Summary', 'Open points'], notes: 'Short, please', source: 'human' },
    })
  })

  it('of three steps is answered by keyboard alone, and looked over', async () => {
    const page = await ask('Several questions')
    const { tab } = page
    await tab.tabTo('radio', 'HTML')
    await tab.press('ArrowDown', 'Enter')
    await tab.see({ role: 'checkbox', name: 'Summary' }, ({ hasFocus }) => hasFocus)
    await tab.press('3', '2', 'Control+Enter')
    await tab.see({ role: 'textbox', name: /^Who reads it/ }, ({ hasFocus }) => hasFocus)
    await tab.type('Everybody')
    await tab.press('Shift+Enter')
    await tab.type('else')
    await tab.press('Enter')
    await tab.see({ role: 'group', name: 'Check your answers' })
    await tab.press('Enter')
    await answered(page, {
      format: { selected: ['PDF'], source: 'human' },
      sections: { selected: ['Open points', 'Figures, with their sources'], source: 'human' },
      audience: { selected: [], freeText: 'Everybody\nelse', source: 'human' },
    })
  })

  it('is declined with a reason', async () => {
    const page = await ask('Single choice')
    const { tab } = page
    await tab.click('button', 'Decline')
    await tab.fill('Why, if you want to say', 'Not before the release')
    await tab.click('button', 'Decline')
    expect(await page.outcome).toMatchObject({ kind: 'declined', reason: 'Not before the release' })
    await tab.reads('Declined')
  })

  it('about a tool is approved', async () => {
    const page = await ask('Permission')
    await page.tab.click('button', 'Allow once')
    await answered(page, { permission: { selected: ['allow-once'], source: 'human' } })
  })

  it('keeps what was typed through a reload', async () => {
    const { tab } = await ask('Typed answer')
    await tab.fill(/^Who reads it/, 'People who are new')
    await tab.reload()
    await tab.see({ role: 'textbox', name: /^Who reads it/ }, ({ value }) => value === 'People who are new')
  })

  it('has a field that grows with its text', async () => {
    const { tab } = await ask('Typed answer')
    const field = { role: 'textbox', name: /^Who reads it/ }
    const { height } = await tab.see(field)
    await tab.fill(field.name, 'Those who are new here, and everybody else who wants to know. '.repeat(4))
    await tab.see(field, (grown) => grown.height > height * 1.5)
  })

  it.each(['Several questions', 'Previews'])('works on a page with a strict policy: %s', async (kind) => {
    const guide = await readFile(join(root, 'docs/guides/form.md'), 'utf8')
    const policy = /^default-src .*$/m.exec(guide)?.[0] ?? 'none'
    const { tab, refused } = await ask(kind, { contentPolicy: policy })
    await tab.see({ role: 'button', name: 'Decline' }, ({ isEnabled }) => isEnabled)
    const blocked = refused.map((report) => JSON.parse(report)['csp-report']['blocked-uri'])
    expect(blocked.filter((uri) => uri !== 'data')).toEqual([]) // The gallery's empty icon is a data URL.
  })

  it('that somebody else answers first keeps the own text, and tells who was first', async () => {
    const page = await ask('Typed answer', { authorize: () => ({ answeredBy: 'Grace' }) })
    const { tab, sandbox, toolCallId } = page
    await tab.fill(/^Who reads it/, 'People who are new')
    await tab.reads('Draft saved')
    const theirs: Responses = { audience: { selected: [], freeText: 'Everybody', source: 'human' } }
    await submitAnswer(sandbox, { toolCallId, responses: theirs }, { answeredBy: 'Ada' })
    await tab.reads('Ada answered')
    for (const text of ['Everybody', 'Entered here, but not sent', 'People who are new'])
      await tab.reads(text)
    await answered(page, theirs)
  })

  it('can be taken back for a moment, and sent at once', async () => {
    const page = await ask('Single choice', { undoMs: 600_000 })
    const { tab, sandbox, toolCallId } = page
    await tab.click('radio', 'PDF')
    await tab.click('button', 'Undo')
    await tab.misses({ role: 'button', name: 'Undo' })
    await tab.reads('Draft saved')
    expect(await listQuestions(sandbox)).toMatchObject([{ toolCallId, state: 'open' }])
    await tab.click('radio', 'HTML')
    await tab.click('button', 'Send now')
    await answered(page, { format: { selected: ['HTML'], source: 'human' } })
  })

  it('is answered once, though the server is killed before it can reply', async () => {
    const page = await ask('Single choice', { diesOnAnswer: true })
    const { tab, died, start } = page
    await tab.click('radio', 'PDF')
    await died
    await start()
    await answered(page, { format: { selected: ['PDF'], source: 'human' } })
    await tab.reads('Received by the agent')
    expect(await tab.text()).not.toContain('first')
  })
})
