// Runs in a thread: gives parsers their inputs, one by one, and notes what is wrong.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { cpuMs } from './cpu-time.mjs'
import { inputFor } from './generate.mjs'
import { faultOf } from './parser.mjs'
import { randomOf } from './random.mjs'
import { startCoverage } from './reached.mjs'

/**
 * @typedef {object} Task
 * @property {number} seed
 * @property {number} from the number of the first input
 * @property {number} to the number behind the last input
 * @property {string} only a part of the names of the parsers to run
 * @property {number} slowMs the longest time of a processor for one input
 * @property {string} table the address of the module with the parsers
 * @property {boolean} coverage whether to tell which places of the packages were not reached
 * @property {string} folder for the files of parsers that read files
 * @property {SharedArrayBuffer} progress the number of the current input
 *
 * @typedef {{ input: number, parser: string, fault: string, preview: string }} Fault
 * @typedef {{ taken: number, refused: number, ms: number }} Count
 *
 * @typedef {{ fault: Fault } | { slow: Fault } | { heap: number } | { counts: Record<string, Count>, unreached: string[] | null }} Report
 */

/** How many turns the others have for one of a slow parser. */
const TURNS = 5

/** How often the heap is measured. */
const MEASUREMENTS = 20

const { seed, from, to, only, slowMs, coverage, table, progress } = /** @type {Task} */ (workerData)
const current = new Int32Array(progress)
const unreached = coverage ? await startCoverage() : async () => null
/** @type {{ PARSERS: readonly import('./parser.mjs').Parser[] }} */
const { PARSERS } = await import(table)
const parsers = PARSERS.filter(({ name }) => name.includes(only))
/** Whose turn it is, by the number of the input. */
const turns = [...Array(TURNS - 1).fill(parsers.filter(({ isSlow }) => !isSlow)), parsers].flat()
/** @type {Record<string, Count>} */
const counts = Object.fromEntries(parsers.map(({ name }) => [name, { taken: 0, refused: 0, ms: 0 }]))
setFlagsFromString('--expose-gc')
const collect = /** @type {() => void} */ (runInNewContext('gc'))

/** @param {Report} report */
const report = (report) => parentPort?.postMessage(report)

const heap = () => {
  collect()
  report({ heap: process.memoryUsage().heapUsed })
}

const sharedKeys = () =>
  Reflect.ownKeys(Object.prototype).length + 1000 * Reflect.ownKeys(Array.prototype).length
const untouched = sharedKeys()

const step = Math.ceil((to - from) / MEASUREMENTS)
for (let number = from; number < to; number++) {
  current[0] = number
  const slow = await run(number)
  // Garbage of other inputs may have been collected meanwhile: a slow input is slow twice.
  if (slow && (await run(number))) report({ slow })
  if ((number - from) % step === step - 1) heap()
}
report({ counts, unreached: await unreached() })
// What `run-inputs.mjs` calls done.
current[0] = -2

/**
 * @param {number} number of the input
 * @returns {Promise<Fault | null>} the input, if it took too long
 */
async function run(number) {
  const parser = /** @type {import('./parser.mjs').Parser} */ (turns[number % turns.length])
  const count = /** @type {Count} */ (counts[parser.name])
  const random = randomOf(seed, number)
  const input = inputFor(random, parser)
  const about = (/** @type {string} */ fault) => ({
    input: number,
    parser: parser.name,
    fault,
    preview: shown(input),
  })
  const begun = cpuMs()
  try {
    await parser.read(input, random)
    count.taken++
  } catch (error) {
    count.refused++
    const fault = faultOf(parser, error)
    if (fault !== null) report({ fault: about(fault) })
  }
  const took = cpuMs() - begun
  count.ms += took
  if (sharedKeys() !== untouched)
    throw new Error(`Input ${number}: ${parser.name} changes what all objects share`)
  return took > slowMs ? about(`It takes ${Math.round(took)} ms`) : null
}

/** @param {unknown} input */
function shown(input) {
  let text
  try {
    text =
      typeof input === 'string' ? input : input instanceof Uint8Array ? `${input}` : JSON.stringify(input)
  } catch (error) {
    text = String(error)
  }
  const whole = text ?? String(input)
  return whole.length > 1000
    ? `${whole.slice(0, 500)} … ${whole.slice(-100)} (${whole.length} characters)`
    : whole
}
