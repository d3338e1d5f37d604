import { type AskedQuestion, shownOption } from '@sandagent/core/internal'
import { needsMarkdown } from '../markdown/needs-markdown.ts'
import type { PreviewFormat } from './ask-form.ts'

/** Whether any text of these questions looks different when Markdown is rendered. */
export const needsRenderer = (questions: readonly AskedQuestion[], previewFormat: PreviewFormat): boolean =>
  questions.some((question) => isMarkdown(question, previewFormat))

function isMarkdown(asked: AskedQuestion, format: PreviewFormat): boolean {
  const { question, textFormat, options = [] } = asked
  const isRead = textFormat !== 'plain'
  return (
    (isRead && needsMarkdown(question, 'block')) ||
    options.some(
      (option) =>
        (isRead &&
          (needsMarkdown(shownOption(asked, option).label, 'label') ||
            needsMarkdown(option.description ?? '', 'block'))) ||
        (format === 'markdown' && needsMarkdown(option.preview ?? '', 'preview')),
    )
  )
}
