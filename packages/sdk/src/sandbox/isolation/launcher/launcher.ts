// Makes a sandbox, starts a program in it, passes signals on, and ends with the program. It is a process of its own,
// so that runs, and the proxy to their hosts, outlive the process that started them.

import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'
import { parseLaunchRequest, REQUEST_DESCRIPTOR } from '../launch-request.ts'
import { closeInherited } from './close-inherited.ts'
import { runInside } from './run-inside.ts'

/** The exit code of shells for a command that cannot be run. */
const CANNOT_RUN = 126

/** The exit code if the host ended before it sent the request. */
const NOT_STARTED = 125

closeInherited(REQUEST_DESCRIPTOR + 1)
const signals: string[] = []
let handOn = (signal: string): void => void signals.push(signal)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => handOn(signal.slice('SIG'.length)))

async function launch(): Promise<number> {
  const said = await text(createReadStream('', { fd: REQUEST_DESCRIPTOR }))
  if (said === '') {
    console.error('sandagent: the host ended before it had started this')
    return NOT_STARTED
  }
  return runInside(parseLaunchRequest(said), (toProgram) => {
    handOn = toProgram
    signals.forEach(toProgram)
  })
}

function complain(error: unknown): number {
  console.error(`sandagent: the sandbox cannot be made: ${error instanceof Error ? error.message : error}`)
  return CANNOT_RUN
}

// The bundle is CommonJS, which has no `await` here.
void launch()
  .catch(complain)
  .then((exitCode) => process.exit(exitCode))
