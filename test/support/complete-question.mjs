// A host process that drafts and completes questions in a race with others: argv is the workdir, its name, and the
// tool call ids. It begins when its parent says so, and reports how each of its completions ended.
import { createFileHostChannel, createLocalFiles } from '@sandagent/files'

const [workdir = '', name = '', ...ids] = process.argv.slice(2)
const host = createFileHostChannel({ files: createLocalFiles(workdir) })

/**
 * @param {string} toolCallId @param {number} revision @param {'pending' | 'completed'} status
 * @param {string | undefined} nonce
 */
const answerFile = (toolCallId, revision, status, nonce) => ({
  questions: [],
  answers: {},
  status,
  timestamp: new Date().toISOString(),
  version: /** @type {const} */ (1),
  toolCallId,
  ...(nonce !== undefined && { nonce }),
  revision,
  answeredBy: name,
})

/** @param {string} toolCallId @returns {Promise<string>} who completed it, as this process was told */
async function complete(toolCallId) {
  for (;;) {
    const { answerFile: before, record } = await host.read(toolCallId)
    const expectedRevision = before?.revision ?? 0
    const status = expectedRevision < 4 ? 'pending' : 'completed'
    try {
      const next = answerFile(toolCallId, expectedRevision + 1, status, record?.nonce)
      await host.write(next, { expectedRevision })
      if (status === 'completed') return name
    } catch (error) {
      if (/** @type {any} */ (error).code !== 'CONFLICT') throw error
      const { facts } = /** @type {any} */ (error)
      if (facts.status === 'completed') return facts.answeredBy
    }
  }
}

process.once('message', async () => {
  process.send?.(await Promise.all(ids.map(complete)))
  process.disconnect()
})
process.send?.('ready')
