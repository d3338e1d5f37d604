#!/usr/bin/env node
import process from 'node:process'
import { runCli } from './cli.ts'
import { abortOnSignals } from './signals.ts'

const { stdin, stdout, stderr } = process
// A reader that has gone away, or a closed terminal, must not end the process while its question is open.
for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {})
process.exitCode = await runCli(process.argv.slice(2), { stdin, stdout, stderr, ...abortOnSignals(process) })
