// A host process that gives each answer at the moment that its parent says, and reports what the person is told.
import './slow-sync.mjs'
import { LocalSandbox, submitAnswer } from '@sandagent/sdk'

const [workdir = ''] = process.argv.slice(2)
const sandbox = new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })

process.on('message', (/** @type {any} */ { at, answeredBy, ...answer }) => {
  setTimeout(async () => {
    const { toolCallId } = answer
    try {
      process.send?.({ toolCallId, told: (await submitAnswer(sandbox, answer, { answeredBy })).status })
    } catch (error) {
      process.send?.({ toolCallId, told: /** @type {any} */ (error).code ?? String(error) })
    }
  }, at - Date.now())
})
process.send?.('ready')
