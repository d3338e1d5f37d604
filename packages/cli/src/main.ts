#!/usr/bin/env node
import { runCli } from './cli.ts'
import { abortOnSignals } from './signals.ts'

const { stdin, stdout, stderr } = process
// A reader that has gone, or a closed terminal, must not end the process while its question is open.
for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {})
const interruption = abortOnSignals(process)
// The bundle is CommonJS, which has no `await` here.
void runCli(process.argv.slice(2), { stdin, stdout, stderr, ...interruption }).then((exitCode) => {
  process.exitCode = exitCode
  // At its end, Node 20 dumps core if it cannot restore the settings of a closed terminal.
  if (interruption.signal.reason === 'SIGHUP' && (stdin.isTTY || stdout.isTTY)) interruption.end('SIGHUP')
})
