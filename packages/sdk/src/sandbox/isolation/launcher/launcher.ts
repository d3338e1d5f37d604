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

try {
  const said = await text(createReadStream('', { fd: REQUEST_DESCRIPTOR }))
  if (said === '') {
    console.error('sandagent: the host ended before it had started this')
    process.exit(NOT_STARTED)
  }
  const request = parseLaunchRequest(said)
  process.exitCode = await runInside(request, (toProgram) => {
    handOn = toProgram
    signals.forEach(toProgram)
  })
} catch (error) {
  process.exitCode = CANNOT_RUN
  console.error(`sandagent: the sandbox cannot be made: ${error instanceof Error ? error.message : error}`)
}
process.exit()
