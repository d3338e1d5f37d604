// `npm run mutants`: breaks sources one by one in a copy, and shows which breaks no test notices.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../scripts/run.mjs'
import { modulesIn } from './import-graph.mjs'
import { judgeAll } from './judge-all.mjs'
import { mutationsOf } from './mutators.mjs'
import { reportOf } from './report.mjs'
import { mutantsLike, sampleOf } from './sample.mjs'

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    packages: { type: 'string', default: 'core,files,runner,sdk,remote,inbox,user-choice' },
    only: { type: 'string' },
    again: { type: 'string' },
    json: { type: 'string' },
    thorough: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
})

/** The cases of the contracts are tests. `broken-stores.test.ts` and `broken-sandboxes.test.ts` prove that they fail. */
const CASES = /\/testing\/src\/(channel|sandbox)\//

const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)
const chosen = values.packages.split(',').map((name) => `packages/${name}`)
const unknown = chosen.filter((folder) => !packages.includes(folder))
if (unknown.length > 0) exit(`There is no ${unknown.join(', ')}. There are: ${packages.join(', ')}`)
const [count, seed] = [values.sample, values.seed].map(Number)
if (!Number.isInteger(count) || !Number.isInteger(seed)) exit('--sample and --seed take whole numbers')

const sources = modulesIn(
  root,
  chosen.map((folder) => `${folder}/src`),
)
  .filter((path) => (values.only === undefined ? !CASES.test(path) : path.includes(values.only)))
  .map((path) => {
    const source = readFileSync(join(root, path), 'utf8')
    return { path, source, mutations: mutationsOf(path, source) }
  })
// What is removed at the end is removed after Ctrl-C, too.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
const sample = values.again
  ? mutantsLike(sources, JSON.parse(readFileSync(values.again, 'utf8')).survivors)
  : sampleOf(sources, Number(count), Number(seed))
const modules = modulesIn(root, [...packages, 'test'])
const { verdicts, broken } = await judgeAll(root, sample, modules, values)
const { figures, text } = reportOf(verdicts, broken)
console.log(text)
if (values.json) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`)

/**
 * @param {string} message
 * @returns {never}
 */
function exit(message) {
  console.error(message)
  process.exit(2)
}
