import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check } from 'recheck'

import { describe, expect, it } from 'vitest'
import { parseAst } from 'vitest/node'

const packages = fileURLToPath(new URL('../../packages/', import.meta.url))

interface Expression {
  file: string
  source: string
  flags: string
}

/** File names have at most 255 bytes, and the check gives up on the many states of `{32}`. */
const SHORT_TEXT: readonly string[] = [String.raw`^\.([^~]+)(~[0-9a-f]{32})?\.final$`]

/** Where expressions are put together while the program runs: there, of classes alone. */
const COMPOSED: readonly string[] = ['core/src/lib/text/printable.ts']

const modules = readdirSync(packages)
  .filter((name) => existsSync(join(packages, name, 'src')))
  .flatMap((name) => filesOf(join(name, 'src')))
  .filter((file) => /\.tsx?$/.test(file))
const found = modules.map((file) => expressionsOf(file))
const literals = found.flatMap(({ literals }) => literals)

describe('every regular expression of the packages', () => {
  it('is found', () => {
    expect(literals.length).toBeGreaterThan(30)
    expect(found.filter(({ isComposing }) => isComposing).map(({ file }) => file)).toEqual(COMPOSED)
  })

  it.each(literals.filter(({ source }) => !SHORT_TEXT.includes(source)))(
    'takes linear time: /$source/$flags in $file',
    async ({ source, flags }) => {
      expect(await slowness(source, flags)).toBeUndefined()
    },
  )

  it('is judged by a check that knows slow ones', async () => {
    expect(await slowness('\\s*\\S+\\s*', 'g')).toContain('2nd degree polynomial')
    expect(await slowness('^(a+)+$', '')).toContain('exponential')
  })
})

/** With limits for its steps, the check would say something else on a busy machine. */
const NO_LIMITS = { seedingTimeout: null, incubationTimeout: null, attackTimeout: null }

/**
 * How slow an expression can get, `undefined` for no worse than linear. The check tries texts by chance, and is now and then
 * wrong: with one seed it says the same at each run.
 */
async function slowness(source: string, flags: string): Promise<string | undefined> {
  if (isClassAlone(source)) return undefined
  const found = await check(source, flags, { timeout: 100_000, randomSeed: 1, ...NO_LIMITS })
  if (found.status === 'safe') return undefined
  return found.status === 'vulnerable' ? found.complexity.summary : `unknown: ${found.error.kind}`
}

/** One class of characters, or several to choose from, matches in one step; the check does not know all properties. */
const isClassAlone = (source: string): boolean =>
  /^(\[[^\]]*\]\|?|\(\?<?!\[[^\]]*\]\)|\\p\{\w+\})+$/.test(source)

function filesOf(folder: string): string[] {
  return readdirSync(join(packages, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
    join(folder, file),
  )
}

interface Node {
  type: string
  regex?: { pattern: string; flags: string }
  callee?: { name?: string }
}

function expressionsOf(file: string): { file: string; literals: Expression[]; isComposing: boolean } {
  const literals: Expression[] = []
  let isComposing = false
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, regex, callee } = node as Node
    if (type === 'Literal' && regex) literals.push({ file, source: regex.pattern, flags: regex.flags })
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp')
      isComposing = true
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseAst(readFileSync(join(packages, file), 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }))
  return { file, literals, isComposing }
}
