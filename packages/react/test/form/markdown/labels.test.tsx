import type { Question } from '@sandagent/core'
import { shownOption } from '@sandagent/core/internal'
import { inLine, labelTests } from '@sandagent/fixtures/labels.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { renderMarkdown } from '../../../src/form/markdown/markdown.tsx'

labelTests((labels) => {
  const question: Question = { question: 'Which?', options: labels.map((label) => ({ label })) }
  return labels.map((each) => {
    const { label, textFormat } = shownOption(question, { label: each })
    if (textFormat === 'plain') return inLine(label)
    const box = document.createElement('div')
    box.innerHTML = renderToStaticMarkup(renderMarkdown(label, 'label'))
    return inLine(box.textContent ?? '')
  })
})
