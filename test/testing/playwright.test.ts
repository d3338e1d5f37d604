import type { Outcome } from '@sandagent/core'
import { answerForm, declineForm, type FormAnswers, waitForQuestion } from '@sandagent/testing/playwright'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { askOnPage } from '../support/engines/question-page.ts'

const FORMAT = 'Which format should the report have?'
const COVER = 'What should it cover?'
const READERS = 'Who reads it, and what do they know already?'

describe.skipIf(!chromiumPath)('the helpers for Playwright', () => {
  const browser = sharedChromium()

  async function open(kind: string): Promise<{ page: Page; outcome: Promise<Outcome> }> {
    const { url, outcome } = await askOnPage(kind)
    const page = await browser().newPage()
    onTestFinished(() => page.close())
    await page.goto(url)
    return { page, outcome }
  }

  it.each<[string, FormAnswers, object]>([
    ['Single choice', { [FORMAT]: 'PDF' }, { format: { selected: ['PDF'] } }],
    ['Single choice', { [FORMAT]: 'a poem' }, { format: { selected: [], freeText: 'a poem' } }],
    [
      'Multiple choice',
      { [COVER]: ['Open points', 'Figures, with their sources', 'Terms'] },
      { sections: { selected: ['Figures, with their sources', 'Open points'], freeText: 'Terms' } },
    ],
    ['Typed answer', { [READERS]: 'Everybody' }, { audience: { freeText: 'Everybody' } }],
    [
      'Several questions',
      { [FORMAT]: 'HTML', [COVER]: ['Summary'], [READERS]: null },
      { format: { selected: ['HTML'] }, sections: { selected: ['Summary'] } },
    ],
    [
      'All at once',
      { [FORMAT]: 'HTML', [COVER]: 'Summary', [READERS]: 'Everybody' },
      {
        format: { selected: ['HTML'] },
        sections: { selected: ['Summary'] },
        audience: { freeText: 'Everybody' },
      },
    ],
    [
      'Numbers and dates',
      {
        'After how long should a request fail?': '250',
        'How many of the requests go to the new version?': '30',
        'How good is this draft?': '4',
        'Which ports may it use?': '1000/2000',
        'On which day should it be released?': '2026-03-01',
        'When is the backup made?': '03:30',
        'When is the switch to the new database?': '2026-03-01T11:30',
        'When is nobody there?': null,
        'Who gets the reports?': 'team@example.org',
        'Where is the documentation?': 'https://example.org/docs',
      },
      {
        timeout: { freeText: '250' },
        share: { freeText: '30' },
        draft: { freeText: '4' },
        ports: { freeText: '1000/2000' },
        day: { freeText: '2026-03-01' },
        mail: { freeText: 'team@example.org' },
      },
    ],
    [
      'Permission',
      { 'Run this command?': ['Deny', 'Use the copy'] },
      { permission: { selected: ['deny'], notes: 'Use the copy' } },
    ],
  ])('answer a form of the gallery: %s', async (kind, answers, responses) => {
    const { page, outcome } = await open(kind)
    await answerForm(page, answers)
    expect(await outcome).toMatchObject({ kind: 'answered', responses })
  })

  it('decline a question with a reason, and deny an approval', async () => {
    const asked = await open('Several questions')
    await declineForm(asked.page, { question: FORMAT, reason: 'Too early' })
    expect(await asked.outcome).toMatchObject({ kind: 'declined', reason: 'Too early' })
    const approval = await open('Permission')
    await declineForm(approval.page)
    expect(await approval.outcome).toMatchObject({ responses: { permission: { selected: ['deny'] } } })
  })

  it('say which questions the page shows, and which one has no answer', async () => {
    const { page } = await open('Several questions')
    const form = await waitForQuestion(page)
    expect(await form.locator('.sa-legend').allTextContents()).toEqual([FORMAT])
    await expect(answerForm(page, { [FORMAT]: 'PDF' })).rejects.toThrow(
      `The form asks "${COVER}", and answerForm`,
    )
    page.setDefaultTimeout(1)
    await expect(waitForQuestion(page, 'Which colour?')).rejects.toThrow(
      `asks one of the questions "Which colour?" and can be filled in. The page shows: "${COVER}".`,
    )
  })
})
