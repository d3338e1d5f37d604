#!/usr/bin/env node
import process from 'node:process'
import { runCli } from './cli.ts'
import { abortOnSignals } from './signals.ts'

const signals = abortOnSignals(process)
const { stdin, stdout, stderr } = process
process.exitCode = await runCli(process.argv.slice(2), { stdin, stdout, stderr, ...signals })
signals.release()
