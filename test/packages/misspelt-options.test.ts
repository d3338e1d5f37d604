import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'

/**
 * Exports of other kinds: the code of pages must be small, the dialects convert, `askingStream` passes options on to
 * `streamText`, and the channels over a watched store check theirs.
 */
const OTHERS = new RegExp(
  `^@sandagent/(${[
    'react |sdk/react |telemetry/page |core createAskSession$',
    'core/dialects/|ai-sdk askingStream$|core/store createWatchedChannel$',
  ].join('|')})`,
)

/** The parameters of a function, from the text behind its bracket. */
function parametersIn(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const sign of text.replaceAll('=>', '')) {
    if ('([{<'.includes(sign)) depth += 1
    if (')]}>'.includes(sign)) depth -= 1
    if (depth < 0) break
    if (sign === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts
}

const TAKES_OPTIONS = /: .*(\w(Options|(?<!Notice)Settings|Extras)\b|\{[^}]*\?:)/s

/** Which arguments of an export are options, by its declaration. */
function placesOf(name: string, declarations: string): number[] {
  const start = `export declare (?:(?:function|const) ${name}\\b[^(]*|class ${name}\\b[^]*?constructor)\\(`
  const places = [...declarations.matchAll(new RegExp(start, 'g'))].flatMap(({ 0: { length }, index }) =>
    parametersIn(declarations.slice(index + length)).flatMap((parameter, place) =>
      TAKES_OPTIONS.test(parameter) ? [place] : [],
    ),
  )
  return [...new Set(places)]
}

interface Taker {
  name: string
  take: (...given: unknown[]) => unknown
  place: number
}

const PASSED_ON = /export \{([^}]*)\} from '(\.[^']+)\.ts'/g

/** What a package exports that takes options. */
async function takersIn(folder: string): Promise<Taker[]> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (manifest.private) return []
  const takers: Taker[] = []
  const entries = Object.entries<{ types: string; default: string }>(manifest.exports ?? {})
  for (const [path, entry] of entries) {
    if (/\.(css|json)$|^\.\/(internal|register)$/.test(path)) continue
    const own = readFileSync(join(folder, entry.types), 'utf8')
    const passedOn = [...own.matchAll(PASSED_ON)].map(([, names = '', file = '']) => ({
      names: names.split(/\W+/),
      text: readFileSync(join(folder, dirname(entry.types), `${file}.d.ts`), 'utf8'),
    }))
    for (const [name, take] of Object.entries(
      await import(pathToFileURL(join(folder, entry.default)).href),
    )) {
      if (typeof take !== 'function') continue
      const texts = passedOn.filter(({ names }) => names.includes(name)).map(({ text }) => text)
      for (const place of placesOf(name, [own, ...texts].join('\n'))) {
        const call = (...given: unknown[]) =>
          /^class\b/.test(`${take}`) ? Reflect.construct(take, given) : take(...given)
        takers.push({ name: `${path.replace('.', manifest.name)} ${name}`, take: call, place })
      }
    }
  }
  return takers.filter(({ name }) => !OTHERS.test(name))
}

describe('a misspelt option is refused by its name, by', async () => {
  const folders = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name))
  const takers = (await Promise.all(folders.map(takersIn))).flat()

  for (const { name, take, place } of takers)
    it(`${name}, argument ${place + 1}`, async () => {
      const use = async () => {
        // The options are looked at before anything else. An argument before them may be a list of words.
        const result = await take(...Array(place).fill(['true']), { misspelt: true })
        // A generator begins with its first value.
        if (Symbol.asyncIterator in Object(result)) await (result as AsyncGenerator).next()
      }
      await expect(use()).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        message: expect.stringContaining('misspelt: expected no such name'),
      })
    })

  it('functions, constants and classes, as their declarations show them', () => {
    const names = takers.map(({ name }) => name)
    expect(names).toContain('@sandagent/sdk pruneRuns')
    expect(names).toContain('@sandagent/runner/mcp-client createElicitationHandler')
    expect(names).toContain('@sandagent/sdk LocalSandbox')
  })
})
