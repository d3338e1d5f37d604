import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LocalSandbox, pruneRuns } from '@sandagent/sdk'
import { createDemo } from './demo.ts'
import { listen } from './listen.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

const sandbox = new LocalSandbox({ workdir: process.env.SANDAGENT_WORKDIR || freshWorkdir() })
await pruneRuns(sandbox)
const demo = createDemo({
  sandbox,
  scenario: join(root, '.sandagent/scenarios/create-project.json'),
  page: fileURLToPath(new URL('../web', import.meta.url)),
})
const { server, url } = await listen(demo.app, Number(process.env.PORT || 3000))
console.log(`The agent works in ${sandbox.workdir}`)
console.log(`ready ${url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())

/** Ends in order: the agents too. They go on only when this process is killed, and are found again at the next start. */
async function stop(): Promise<void> {
  server.close()
  server.closeAllConnections()
  await demo.close()
}

/** A folder of its own for every start, so that nothing of an earlier one shows. */
function freshWorkdir(): string {
  const folder = join(root, '.sandagent')
  mkdirSync(folder, { recursive: true })
  return mkdtempSync(join(folder, 'demo-'))
}
