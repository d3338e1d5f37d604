import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LocalSandbox, pruneRuns } from '@sandagent/sdk'
import { claudeAgent, scriptedAgent } from './agents.ts'
import { chooseAgent } from './choose-agent.ts'
import { createDemo } from './demo.ts'
import { listen } from './listen.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

const port = portIn(process.env.PORT)
const agentName = orExit(() => chooseAgent(process.argv.slice(2), process.env))
const scenario = join(root, '.sandagent/scenarios/create-project.json')
const sandbox = new LocalSandbox({
  workdir: process.env.SANDAGENT_WORKDIR || freshWorkdir(),
  readable: [scenario],
  onIsolation: console.log,
})
await pruneRuns(sandbox)
const demo = createDemo({
  sandbox,
  agent: agentName === 'claude' ? claudeAgent(sandbox) : scriptedAgent(scenario),
  page: fileURLToPath(new URL('../web', import.meta.url)),
})
const { server, url } = await listen(demo.app, port)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
console.log(agentName === 'claude' ? 'The agent is Claude Code' : 'The agent follows a script')
console.log(`The agent works in ${sandbox.workdir}`)
console.log(`ready ${url}`)

/** Ends the server and its agents. If this process is killed, the agents go on, and the next start finds them. */
async function stop(): Promise<void> {
  server.close()
  server.closeAllConnections()
  await demo.close()
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
    return exitWith((error as Error).message)
  }
}

function exitWith(message: string): never {
  console.error(message)
  process.exit(2)
}

/** A new folder for every start. */
function freshWorkdir(): string {
  const folder = join(root, '.sandagent')
  mkdirSync(folder, { recursive: true })
  return mkdtempSync(join(folder, 'demo-'))
}
