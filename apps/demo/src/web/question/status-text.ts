import type { UseAskUserQuestionReturn } from '@sandagent/sdk/react'

/** Where an answer stands, in words: what the host and the agent confirmed, never what is hoped for. */
export function statusText(ask: UseAskUserQuestionReturn): string {
  const { status, answeredCount, questions, answeredBy, cancelled, runEnded } = ask
  if (runEnded && status === 'waiting') return 'The agent is gone. Started again, it takes up your answer'
  if (runEnded && status === 'sent') return 'Kept. The agent takes it up when it is started again'
  switch (status) {
    case 'streaming':
      return 'The agent is still writing its question…'
    case 'waiting':
      return answeredCount === 0
        ? 'The agent waits for you'
        : `Draft saved · ${answeredCount} of ${questions.length} answered`
    case 'saving':
      return 'Saving your draft…'
    case 'sending':
      return 'Sending…'
    case 'sent':
      return `${cancelled ? 'Declined' : 'Sent'}${answeredBy ? ` by ${answeredBy}` : ''}. Waiting for the agent to take it…`
    case 'received':
      return `Received by the agent${answeredBy ? `, answered by ${answeredBy}` : ''}`
    case 'declined':
      return 'Declined. The agent knows'
    case 'expired':
      return 'The agent stopped waiting; this was not answered in time'
    case 'superseded':
      return `${answeredBy ?? 'Somebody else'} answered first; this is what counts`
    case 'failed':
      return 'Not sent. What you entered is kept here'
  }
}
