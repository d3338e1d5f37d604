import type { Question } from '@sandagent/core'
import { inLine, labelTests } from '@sandagent/fixtures/labels.ts'
import { labelText } from '../../../../src/terminal/form/draw/markdown.ts'

labelTests((labels) => {
  const question: Question = { question: 'Which?', options: labels.map((label) => ({ label })) }
  return labels.map((label) => inLine(labelText(question, { label }, [])))
})
