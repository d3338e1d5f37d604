// Starts the web demo, with everything it needs installed and built.

import { parseArgs } from 'node:util'
import { run, runOrExit } from './run.mjs'

const HELP = `Starts the demo: a chat with an agent that asks.

  npm start
  npm start -- --agent scripted             the agent: scripted or claude. Default: claude if ANTHROPIC_API_KEY is set
  npm start -- --sandbox "ssh user@host"    the agent works there, where only Node is needed. With --agent claude,
                                            your API key is passed to that machine
  npm start -- --store URL                  people answer by way of a store, postgres://… or nats://…

PORT is the port, 3000 by default. SANDAGENT_WORKDIR is the agent's folder, by default a new one.`

// The help comes at once, and so does a wrong option: the build takes a minute.
const given = chosen()
if (given.help) console.log(HELP)
else {
  const agent = given.agent ?? (process.env.ANTHROPIC_API_KEY ? 'claude' : 'scripted')
  await runOrExit('node', ['scripts/install.mjs', '--for-demo', ...(agent === 'claude' ? ['--claude'] : [])])
  console.log('Building…')
  await runOrExit('node', ['scripts/build.mjs'])
  process.exitCode = await run('node', ['apps/demo/dist/server/main.js', ...process.argv.slice(2)])
}

function chosen() {
  try {
    const options = /** @type {const} */ ({
      agent: { type: 'string' },
      sandbox: { type: 'string' },
      store: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    })
    const { values } = parseArgs({ options })
    if (!['scripted', 'claude', undefined].includes(values.agent))
      throw new Error(`There is no agent ${values.agent}`)
    return values
  } catch (error) {
    console.error(`${/** @type {Error} */ (error).message}\n\n${HELP}`)
    process.exit(2)
  }
}
