// Tells which places of the packages that parse were not reached, by what V8 counts while the parsers run.

import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../scripts/run.mjs'
import { modulesIn } from '../mutants/import-graph.mjs'
import { COMMAND } from './command-modules.mjs'

/** A place that parses: it calls a parser of JSON, of bytes, of a token, or of a schema. */
const PARSES =
  /(?<!function )(?<!\w)(?:v\.(?:safeParse|parse|is)|parseWith|parseJson|JSON\.parse|decodeURIComponent|jwtVerify|decodeProtectedHeader|new (?:[\w.]+\.)?(?:TextDecoder|URLSearchParams)|atob)\(/g

/** A function that is named as a parser. Its body is the place. */
const PARSER = /^export (?:async )?(?:function|const) ((?:parse|decode)[A-Z]\w*).*$/gm

/** @typedef {{ place: string, reason: string }} Unread a place, or the beginning of several, that needs no generated inputs */
/** @typedef {{ startOffset: number, endOffset: number, count: number }} Range */

/**
 * Begins to count. It has to begin before the packages are loaded.
 *
 * @returns {Promise<() => Promise<string[]>>} tells, in a sentence each, the places that were not reached, and those that are
 *   listed without need
 */
export async function startCoverage() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const scripts = new Map(
      result.map(({ url, functions }) => [url, functions.flatMap(({ ranges }) => ranges)]),
    )
    const paths = modulesIn(root, ['packages/*/src/*']).filter(
      (path) => !path.startsWith('packages/fixtures/'),
    )
    const unreached = paths.flatMap((path) => unreachedIn(path, scripts))
    /** @type {readonly Unread[]} */
    const listed = JSON.parse(readFileSync(new URL('unread.json', import.meta.url), 'utf8'))
    const isListed = (/** @type {string} */ place) => listed.some((each) => place.startsWith(each.place))
    const needless = listed.filter((each) => !unreached.some((place) => place.startsWith(each.place)))
    return [
      ...unreached.filter((place) => !isListed(place)).map((place) => `No input reaches ${place}`),
      ...needless.map(({ place }) => `${place} is reached: unread.json need not list it`),
    ]
  }
}

/**
 * @param {string} path of a source
 * @param {ReadonlyMap<string, readonly Range[]>} scripts what ran of each module, by its address
 * @returns {string[]}
 */
function unreachedIn(path, scripts) {
  const folder = path.startsWith('packages/cli/') ? COMMAND : '/dist/'
  const built = join(root, path.replace('/src/', folder).replace(/\.tsx?$/, '.js'))
  const text = readFileSync(built, 'utf8')
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, (comment) => ' '.repeat(comment.length))
  const ranges = scripts.get(pathToFileURL(built).href)
  const places = [
    ...[...code.matchAll(PARSES)].map(({ 0: call, index }) => ({ name: call.slice(0, -1), at: index })),
    ...[...code.matchAll(PARSER)].map(({ 0: line, 1: name = '', index }) => ({
      name,
      at: index + line.length - 1,
    })),
  ]
  const unreached = places.filter(({ at }) => countAt(ranges ?? [], at) === 0)
  return [...new Set(unreached.map(({ name }) => `${path}: ${name}`))]
}

/** @param {readonly Range[]} ranges @param {number} at */
function countAt(ranges, at) {
  const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= at && at < endOffset)
  const [inner] = around.sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset))
  return inner?.count ?? 0
}
