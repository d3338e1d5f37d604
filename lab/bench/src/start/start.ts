import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LocalSandbox, startRun, streamRun } from '@sandagent/sdk'
import { inFolder } from '../lib/in-folder.ts'
import { defineScenario, type Scenario } from '../lib/scenario.ts'
import { summarize } from '../lib/statistics.ts'
import { main, timeToAnswer, timeToEnd } from './timed-process.ts'

/** How often `--version` may take the time of a Node that does nothing. */
const VERSION_RATIO = 1.5
/** What starts may take, in milliseconds. */
const MCP_MS = 250
const RUN_MS = 400
const STRICT_RUN_MS = 600

export const start: Scenario = defineScenario({
  title: 'from the start of a program until it is ready',
  keys: {
    nodeMs: 'node -e 0 until its end, median',
    versionMs: 'sandagent --version until its end, median',
    versionRatio: 'the same, divided by node -e 0',
    mcpMs: 'sandagent mcp from spawn until it has answered initialize, median',
    mcpRatio: `the same, divided by ${MCP_MS} ms`,
    runMs: 'startRun from its call until streamRun gave the first chunk, without isolation, median',
    runRatio: `the same, divided by ${RUN_MS} ms`,
    runStrictMs: 'the same with strict isolation; null where it does not work',
    runStrictRatio: `the same, divided by ${STRICT_RUN_MS} ms`,
  },
  measure: ({ quick }) => inFolder((folder) => measureStart(folder, quick ? 3 : 30)),
  goals: ({ versionRatio, mcpMs, runMs, runStrictMs }) => [
    {
      text: `--version takes at most ${VERSION_RATIO} × node -e 0`,
      figure: versionRatio,
      most: VERSION_RATIO,
    },
    { text: `mcp is ready within ${MCP_MS} ms`, figure: mcpMs, most: MCP_MS },
    { text: `the first chunk of a run comes within ${RUN_MS} ms`, figure: runMs, most: RUN_MS },
    { text: `with isolation within ${STRICT_RUN_MS} ms`, figure: runStrictMs, most: STRICT_RUN_MS },
  ],
})

/** So many rounds come first and do not count: files are read for the first time, and code is compiled. */
const WARM_UP = 2

/** Measures everything once in each round, so that whatever else the machine does meets all of it. */
async function measureStart(folder: string, rounds: number) {
  const sandboxOf = (isolation: 'none' | 'strict'): LocalSandbox =>
    new LocalSandbox({ workdir: join(folder, isolation), isolation, onIsolation: () => {} })
  const [open, strict] = [sandboxOf('none'), sandboxOf('strict')]
  const canIsolate = await strict.activeIsolation().then(
    () => true,
    () => false,
  )
  for (const { workdir } of [open, strict])
    await writeFile(join(workdir, 'scenario.json'), JSON.stringify({ steps: [{ say: 'Hello' }] }))

  const ways: Record<'node' | 'version' | 'mcp' | 'run' | 'runStrict', () => Promise<bigint>> = {
    node: () => timeToEnd('-e', '0'),
    version: () => timeToEnd(main, '--version'),
    mcp: () => timeToAnswer(main, 'mcp', '--workdir', open.workdir),
    run: () => timeToChunk(open),
    runStrict: () => timeToChunk(strict),
  }
  const times = { node: [], version: [], mcp: [], run: [], runStrict: [] } as Record<
    keyof typeof ways,
    bigint[]
  >
  for (let round = -WARM_UP; round < rounds; round++)
    for (const way of Object.keys(ways) as (keyof typeof ways)[]) {
      if (way === 'runStrict' && !canIsolate) continue
      const time = await ways[way]()
      if (round >= 0) times[way].push(time)
    }
  const medianOf = (way: keyof typeof ways): number => summarize(times[way]).p50Ms
  const runStrictMs = canIsolate ? medianOf('runStrict') : null
  return {
    nodeMs: medianOf('node'),
    versionMs: medianOf('version'),
    versionRatio: medianOf('version') / medianOf('node'),
    mcpMs: medianOf('mcp'),
    mcpRatio: medianOf('mcp') / MCP_MS,
    runMs: medianOf('run'),
    runRatio: medianOf('run') / RUN_MS,
    runStrictMs,
    runStrictRatio: runStrictMs && runStrictMs / STRICT_RUN_MS,
  }
}

async function timeToChunk(sandbox: LocalSandbox): Promise<bigint> {
  const startedAt = process.hrtime.bigint()
  const { runId } = await startRun(sandbox, {
    agent: 'scripted',
    args: ['--scenario', 'scenario.json'],
    prompt: 'Go',
    runner: [process.execPath, main],
  })
  let firstAt = 0n
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of await streamRun(sandbox, runId)) {
    text += decoder.decode(bytes, { stream: true })
    if (firstAt === 0n && text.includes('data: ')) firstAt = process.hrtime.bigint()
  }
  if (!text.includes('"delta":"Hello"')) throw new Error(`The run said something else: ${text}`)
  return firstAt - startedAt
}
