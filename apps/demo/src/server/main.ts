import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { pruneRuns } from '@sandagent/sdk'
import { claudeAgent, scriptedAgent } from './agents.ts'
import { chooseAgent } from './choose-agent.ts'
import { chooseSandbox } from './choose-sandbox.ts'
import { createDemo } from './demo.ts'
import { listen } from './listen.ts'
import { openStore } from './open-store.ts'

const OPTIONS = { agent: { type: 'string' }, sandbox: { type: 'string' }, store: { type: 'string' } } as const

const root = fileURLToPath(new URL('../../../../', import.meta.url))

const sandagent = fileURLToPath(new URL('dist/main.js', import.meta.resolve('sandagent/package.json')))

const port = portIn(process.env.PORT)
const { agent, sandbox: command, store: address } = orExit(() => parseArgs({ options: OPTIONS })).values
const isHere = command === undefined
const agentName = orExit(() => chooseAgent(agent, process.env, { isHere }))
const workdir = process.env.SANDAGENT_WORKDIR || undefined
const place = await chooseSandbox({ command, workdir, root, sandagent }).catch(exitBy)
const { sandbox, scenario } = place
await pruneRuns(sandbox)
const store = address === undefined ? null : await openStore(address, sandbox).catch(exitBy)
const demo = createDemo({
  place,
  questions: store?.questions,
  agent: agentName === 'claude' ? claudeAgent(sandbox) : scriptedAgent(scenario),
  page: fileURLToPath(new URL('../web', import.meta.url)),
})
const { server, url } = await listen(demo.app, port)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
console.log(agentName === 'claude' ? 'The agent is Claude Code' : 'The agent follows a script')
console.log(`The agent works in ${sandbox.workdir}${isHere ? '' : `, by ${command}`}`)
if (store) console.log(`The questions are in the store, in the namespace ${store.namespace}`)
console.log(`ready ${url}`)

/** Ends the server and its agents. If this process is killed, the agents go on, and the next start finds them. */
async function stop(): Promise<void> {
  server.close()
  server.closeAllConnections()
  await demo.close()
  await store?.close()
}

/** Port 0 lets the system choose. */
function portIn(text: string | undefined): number {
  if (text === undefined || text === '') return 3000
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text)
  return exitWith(`PORT must be a number from 0 to 65535, not ${JSON.stringify(text)}`)
}

function orExit<T>(choose: () => T): T {
  try {
    return choose()
  } catch (error) {
    return exitBy(error)
  }
}

function exitBy(error: unknown): never {
  return exitWith((error as Error).message)
}

function exitWith(message: string): never {
  console.error(message)
  process.exit(2)
}
