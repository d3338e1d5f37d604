import type { Outcome } from '@sandagent/core'
import type { Notice } from '@sandagent/notices'
import { approvalQuestion } from '@sandagent/runner'

/** Leads to the page of each question. */
export const LINK = 'https://inbox.example.com/answer#token=t'

export const colours = [
  { id: 'q1', question: 'Which colour?', options: [{ label: 'Red, dark' }, { label: 'Blue' }] },
]
export const tags = [
  {
    id: 'q1',
    question: 'Which tags?',
    multiSelect: true,
    options: [{ label: 'a, b' }, { label: 'c' }, { label: 'd' }],
  },
]
export const approval = {
  ...{ kind: 'approval' as const, toolName: 'Bash' },
  questions: [{ ...approvalQuestion('Bash'), id: 'permission' }],
  subject: {
    toolName: 'Bash',
    input: { command: 'npm publish' },
    reasons: [{ by: 'agent' as const, text: 'All is green' }],
  },
}

/** What was said to the question `q1`. */
export const given = (outcome: Outcome) => ('responses' in outcome ? outcome.responses.q1 : undefined)

/** A notice with words for the person at an address. */
export const noticeTo = (address: string, question: Partial<Notice['question']> = {}): Notice => ({
  ...{ id: '0'.repeat(32), sandboxId: 'shop', sandboxName: 'my_shop', toolCallId: 'call' },
  person: { name: 'Ada', ...(address && { address }) },
  isTextAllowed: true,
  link: LINK,
  question: {
    ...{
      toolCallId: 'call',
      kind: 'question',
      state: 'open',
      questions: colours,
      responses: {},
      revision: 0,
    },
    ...{ declined: false, deadline: null, remainingMs: null },
    ...question,
  },
})
