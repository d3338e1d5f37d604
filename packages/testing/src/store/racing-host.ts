// A host in a process of its own, which drafts and completes questions in a race with others. Its arguments are its name,
// the module of the host's half, the arguments for that as JSON, and the tool call ids. It begins when its parent says so, and
// reports who completed each question, as it was told.
import type { AnswerStatus, AskError } from '@sandagent/core'
import { createHostChannel, type HostQuestions } from '@sandagent/core/store'
import { answerFileFor } from './records.ts'

const [name = '', module = '', args = '[]', ...ids] = process.argv.slice(2)
const { hostStore } = (await import(module)) as {
  hostStore: (...args: string[]) => HostQuestions | Promise<HostQuestions>
}
const host = createHostChannel(await hostStore(...(JSON.parse(args) as string[])))

/** How many drafts come before the answer. */
const DRAFTS = 4

/** How often the store may be out of reach for one question. A busy machine makes it so. */
const MOST_FAILURES = 20

async function complete(toolCallId: string): Promise<string> {
  let failures = 0
  for (;;) {
    try {
      const { answerFile: before, record } = await host.read(toolCallId)
      const expectedRevision = before?.revision ?? 0
      const status: AnswerStatus = expectedRevision < DRAFTS ? 'pending' : 'completed'
      const { nonce: _, ...answerFile } = answerFileFor(toolCallId, { status, answeredBy: name })
      const bound = { ...answerFile, revision: expectedRevision + 1, ...(record && { nonce: record.nonce }) }
      await host.write(bound, { expectedRevision })
      if (status === 'completed') return name
    } catch (error) {
      const { code, facts } = error as AskError
      // The next read shows whether it was written.
      if (code === 'UNREACHABLE' && ++failures < MOST_FAILURES) continue
      if (code !== 'CONFLICT') throw error
      if (facts?.status === 'completed') return String(facts.answeredBy)
    }
  }
}

process.once('message', async () => {
  process.send?.(await Promise.all(ids.map(complete)))
  process.disconnect()
})
process.send?.('ready')
