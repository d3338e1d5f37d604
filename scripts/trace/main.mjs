// `npm run trace`: runs the scenario of the demo over three processes, host, runner and page, which export their telemetry to
// a stand-in of a collector. Draws the trace into docs/images/trace.svg.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCollector } from '../../test/support/telemetry/collector.mjs'
import { tracedRun } from '../../test/support/telemetry/traced-run.mjs'
import { root } from '../run.mjs'
import { drawTrace } from './draw-trace.mjs'

/** How long the person thinks about each question, in milliseconds. */
const THINKS_MS = 2000

const folder = mkdtempSync(join(tmpdir(), 'sandagent-trace-'))
const collector = await startCollector()
try {
  const workdir = join(folder, 'work')
  mkdirSync(workdir)
  const scenario = join(root, '.sandagent/scenarios/create-project.json')
  const state = await tracedRun({
    collector: collector.url,
    ...{ workdir, scenario, thinksMs: THINKS_MS, config: folder },
  })
  if (state !== 'finished') throw new Error(`The run ended like this: ${state}`)
  writeFileSync(join(root, 'docs/images/trace.svg'), drawTrace(collector.spans))
  console.log(`docs/images/trace.svg shows ${collector.spans.length} spans`)
} finally {
  await collector.close()
  rmSync(folder, { recursive: true })
}
