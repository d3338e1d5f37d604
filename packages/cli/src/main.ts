#!/usr/bin/env node
import process from 'node:process'
import { runCli } from './cli.ts'
import { abortOnSignals } from './signals.ts'

const { stdin, stdout, stderr } = process
// A reader that has gone away, or a closed terminal, must not end the process while its question is open.
for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {})
const interruption = abortOnSignals(process)
process.exitCode = await runCli(process.argv.slice(2), { stdin, stdout, stderr, ...interruption })

// Node 20 aborts with a core dump when it cannot restore the settings of a closed terminal at its end.
if (interruption.signal.reason === 'SIGHUP' && (stdin.isTTY || stdout.isTTY)) interruption.end('SIGHUP')
