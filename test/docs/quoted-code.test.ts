import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'

const docs = join(root, 'docs')

/** Blocks of code that say, behind their language, which file they come from. */
const QUOTE = /^```\w+ (\S+)\n([\s\S]*?)^```$/gm

const quotes = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) =>
    [...readFileSync(join(docs, name), 'utf8').matchAll(QUOTE)].map(([, file = '', code = '']) => ({
      name,
      file,
      code,
    })),
  )

/** Every block of code for TypeScript, quoted or not. */
const CODE = /^```(tsx?)[^\n]*\n([\s\S]*?)^```$/gm

/** How the compiler says that a name is neither imported nor defined. */
const UNKNOWN_NAME = /error TS(?:2304|2503|2552|2582|2686|18004): .*/g

/** Pages that readers copy from, block by block. */
const COPIED = ['guides/server.md']

/** A quote may begin anywhere in its file, and stands at the margin. */
const withoutIndent = (code: string): string => code.replace(/^ +/gm, '')

describe('the code in docs', () => {
  it.each(quotes)('$name quotes $file as it is', ({ file, code }) => {
    expect(withoutIndent(readFileSync(join(root, file), 'utf8'))).toContain(withoutIndent(code))
  })

  it.each(COPIED)(
    '%s has no block that uses a name which the block does not import or define',
    async (name) => {
      const folder = await tempDir()
      const page = readFileSync(join(docs, name), 'utf8')
      const files = Array.from(page.matchAll(CODE), ([, language = '', code = ''], index) => ({
        path: join(folder, `block-${index}.${language}`),
        code,
      }))
      expect(files.length).toBeGreaterThan(0)
      // Each block is a module of its own. What modules export is checked where the quoted files are compiled.
      for (const { path, code } of files) await writeFile(path, `${code}\nexport {}\n`)
      const options = ['--noEmit', '--noResolve', '--allowImportingTsExtensions', '--jsx', 'preserve']
      const types = [
        '--types',
        'node',
        '--typeRoots',
        join(root, 'node_modules/@types'),
        '--lib',
        'es2023,dom',
      ]
      const tsc = join(root, 'node_modules/typescript/bin/tsc')
      const paths = files.map(({ path }) => path)
      const { stdout } = spawnSync(process.execPath, [tsc, ...options, ...types, ...paths], {
        cwd: folder,
        encoding: 'utf8',
      })
      // The modules are not resolved, so the compiler has seen the blocks when it misses these.
      expect(stdout).toContain("Cannot find module '@sandagent/sdk'")
      expect(stdout.match(UNKNOWN_NAME) ?? []).toEqual([])
    },
  )
})
