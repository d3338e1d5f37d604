import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { execute } from '../support/packed-project.ts'
import { createStrictStore, type StrictStore } from '../support/strict-project.ts'

/** Pages that people follow from an empty folder on. */
const PAGES = [
  ...['guides', 'start'].flatMap((folder) =>
    readdirSync(join(root, 'docs', folder)).map((name) => `docs/${folder}/${name}`),
  ),
  ...readdirSync(join(root, 'packages'))
    .filter((name) => name !== 'fixtures')
    .map((name) => `packages/${name}/README.md`),
]

const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')

/** The packages that the lines `npm install …` of a page name. */
const installed = (page: string): Set<string> =>
  new Set(
    Array.from(textOf(page).matchAll(/npm install ([^\n`#&]*)/g), ([, words = '']) =>
      words.trim().split(/\s+/),
    )
      .flat()
      .filter((word) => /^[@a-z]/.test(word))
      .map((word) => word.replace(/(?<=.)@[\w.]+$/, '')),
  )

/** What the project of a generator has from the beginning. */
const generated = (page: string): string[] => [
  ...(textOf(page).includes('npx create-next-app') ? ['next', 'react', 'react-dom'] : []),
  ...(/npm create (-y )?vite/.test(textOf(page))
    ? ['vite', '@vitejs/plugin-react', 'react', 'react-dom']
    : []),
]

/** The blocks of JavaScript and TypeScript of a page. */
const samples = (page: string): { language: string; code: string }[] =>
  Array.from(
    textOf(page).matchAll(/^```([jt]sx?)[^\n]*\n([\s\S]*?)^```$/gm),
    ([, language = '', code = '']) => ({
      language,
      code,
    }),
  )

const pages = PAGES.filter((page) => samples(page).some(({ code }) => /\bfrom '[^.]/.test(code)))

/** A name that no package of the project explains; blocks that quote a part of a file import others beside it. */
const MISSING = /^(\S+)\(\d+,\d+\): error TS(?:2307|2792): Cannot find module '[^'.].*$/gm

describe('the install lines of a page, where each package sees only what it declares', {
  timeout: 600_000,
}, () => {
  let store: StrictStore

  beforeAll(async () => {
    store = await createStrictStore()
  }, 600_000)
  afterAll(() => store.remove())

  it.each(pages)('%s installs what its samples import', async (page) => {
    const project = await store.project([...installed(page), ...generated(page)])
    const files: string[] = []
    for (const { language, code } of samples(page)) {
      const file = `sample-${files.length}.${language.replace('js', 'mjs').replace('mjsx', 'jsx')}`
      await writeFile(join(project, file), `${code}\nexport {}\n`)
      files.push(file)
    }
    await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }')
    const compilerOptions = {
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      jsx: 'react-jsx',
      allowJs: true,
      checkJs: true,
      noEmit: true,
      types: [join(root, 'node_modules/@types/node')],
    }
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    const printed = await execute(
      join(root, 'node_modules/.bin/tsc'),
      ['-p', '.', '--pretty', 'false'],
      project,
    ).catch(({ message }: Error) => message)
    const missing = Array.from(printed.matchAll(MISSING), ([line]) => line)
    expect(missing.filter((line) => /^(sample-|.*@?sandagent)/.test(line))).toEqual([])
  })
})
