import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../scripts/run.mjs'

const docs = join(root, 'docs')

/** Blocks of code that say, behind their language, which file they come from. */
const QUOTE = /^```\w+ (\S+)\n([\s\S]*?)^```$/gm

const quotes = readdirSync(docs)
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) =>
    [...readFileSync(join(docs, name), 'utf8').matchAll(QUOTE)].map(([, file = '', code = '']) => ({
      name,
      file,
      code,
    })),
  )

/** A quote may begin anywhere in its file, and stands at the margin. */
const withoutIndent = (code: string): string => code.replace(/^ +/gm, '')

describe('the code in docs', () => {
  it.each(quotes)('$name quotes $file as it is', ({ file, code }) => {
    expect(withoutIndent(readFileSync(join(root, file), 'utf8'))).toContain(withoutIndent(code))
  })
})
