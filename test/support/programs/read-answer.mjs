// Reads the answer to t1 as a runner does, and prints what comes of it.
import { createFileRunnerChannel } from '@sandagent/files'

const channel = createFileRunnerChannel({ workdir: process.argv[2] })
console.log(await channel.read('t1').then(JSON.stringify, ({ code }) => code))
