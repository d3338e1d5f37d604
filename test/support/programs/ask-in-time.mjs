// A runner process that asks what its parent says, and reports when each question waits and how it ended.
import './slow-sync.mjs'
import { createFileRunnerChannel } from '@sandagent/files'
import { askUser } from '@sandagent/runner'

const [workdir = ''] = process.argv.slice(2)
const channel = createFileRunnerChannel({ workdir })
const questions = [{ id: 'q1', question: 'Which language?', options: [{ label: 'A' }, { label: 'B' }] }]

process.on('message', async (/** @type {any} */ { toolCallId, timeoutMs, abortMs }) => {
  const stop = new AbortController()
  const outcome = await askUser(
    channel,
    { toolCallId, questions, runId: 'run-1' },
    {
      timeoutMs,
      signal: stop.signal,
      onAsked() {
        if (abortMs !== undefined) setTimeout(() => stop.abort(), abortMs)
        process.send?.({ toolCallId, askedAt: Date.now() })
      },
    },
  )
  const { kind, responses, answeredBy } = outcome
  process.send?.({ toolCallId, outcome: { kind, responses, answeredBy } })
})
process.send?.('ready')
