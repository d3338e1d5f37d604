import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { drawings } from '../../lab/bench/src/results/results.ts'
import { scenarios } from '../../lab/bench/src/scenarios.ts'
import { root } from '../../scripts/run.mjs'

const README = readFileSync(new URL('../../lab/bench/README.md', import.meta.url), 'utf8')

it('the measurements’ guide has a chapter for each scenario, in the order in which they run', () => {
  const chapters = Array.from(README.matchAll(/^## (.+)$/gm), ([, name]) => name)
  expect(chapters).toEqual(Object.keys(scenarios))
})

it('the measurements’ guide describes exactly the keys that are written', () => {
  const described = Array.from(README.matchAll(/^\| `(.+?)` \| (.+) \|$/gm), ([, key, what]) => [key, what])
  const keys = Object.entries(scenarios).flatMap(([name, { keys, peerKeys }]) =>
    Object.entries({ ...keys, ...peerKeys }).map(([key, what]) => [`${name}.${key}`, what]),
  )
  expect(described).toEqual(keys)
})

/** The keys that stay, because others read them. */
const PROMISED = `
resume.p50Ms resume.p99Ms resume.floorP50Ms resume.floorP99Ms resume.poll500P50Ms
stack.p50Ms stack.p99Ms stack.durableWriteP50Ms
submit.perSecond submit.floorPerSecond burst.seconds burst.lost list.ms1000 list.ms5000 list.floorMs5000
idle.cpuPercent idle.bytesPerWaiter idle.fds crowd.p50Ms
poll.1.p50Ms poll.1.cpuPercent poll.100.p50Ms poll.100.cpuPercent poll.10000.p50Ms poll.10000.cpuPercent
clutter.ratio replay.mbPerSecond replay.rssMb react.commitsPerKeystroke react.mount1000Ms soak.rssSlope soak.fds
start.versionRatio start.mcpRatio start.runRatio start.runStrictRatio`

it('the figures keep the keys that others read', () => {
  const keys = Object.entries(scenarios).flatMap(([name, scenario]) =>
    Object.keys({ ...scenario.keys, ...scenario.peerKeys }).map((key) => `${name}.${key}`),
  )
  expect(keys).toEqual(expect.arrayContaining(PROMISED.trim().split(/\s+/)))
})

it('the pages about performance show the figures that are kept, and no others', () => {
  for (const [path, text] of drawings()) expect(readFileSync(join(root, path), 'utf8'), path).toBe(text)
})

it('the command names all scenarios if it does not know one', () => {
  const { status, stderr } = spawnSync('node', [join(root, 'lab/bench/dist/main.js'), 'stack', 'lists'], {
    encoding: 'utf8',
  })
  expect(status).toBe(2)
  expect(stderr).toContain('no scenario lists.')
  for (const name of Object.keys(scenarios)) expect(stderr).toContain(name)
})
