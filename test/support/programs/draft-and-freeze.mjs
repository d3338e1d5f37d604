// A host process that freezes (SIGSTOP) after it looked and before it writes its draft. Once it is woken it writes, and is
// killed before it looks again. argv: the workdir, the tool call id.
import { createFileHostChannel, createLocalFiles } from '@sandagent/files'

const [workdir = '', toolCallId = ''] = process.argv.slice(2)
const files = createLocalFiles(workdir)
const host = createFileHostChannel({
  files: {
    ...files,
    async writeAtomic(...args) {
      process.kill(process.pid, 'SIGSTOP')
      await files.writeAtomic(...args)
      process.kill(process.pid, 'SIGKILL')
    },
  },
})
const { record } = await host.read(toolCallId)
await host.write(
  {
    questions: [],
    answers: {},
    status: 'pending',
    timestamp: new Date().toISOString(),
    version: 1,
    toolCallId,
    ...(record && { nonce: record.nonce }),
    revision: 1,
  },
  { expectedRevision: 0 },
)
