import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runCli } from '../src/cli.ts'
import { createFakeTerminal } from './fake-terminal.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const PLACES = ['README.md', 'docs', 'packages', 'examples']
const PASSED_OVER = ['node_modules', 'dist', 'CHANGELOG.md']

async function pagesIn(path: string): Promise<string[]> {
  if (path.endsWith('.md')) return [path]
  const entries = await readdir(join(root, path), { withFileTypes: true })
  const found = entries
    .filter(({ name }) => !PASSED_OVER.includes(name))
    .filter((entry) => entry.isDirectory() || entry.name.endsWith('.md'))
    .map(({ name }) => pagesIn(join(path, name)))
  return (await Promise.all(found)).flat()
}

/** What follows `sandagent` in a page's code, up to a comment, a pipe, or the program behind `--`. */
function linesIn(page: string): string[] {
  const codes: string[] = []
  const prose = page.replace(/^```(.*)\n([\s\S]*?)^```/gm, (_, language, code) => {
    if (['', 'sh', 'bash', 'console'].includes(language)) codes.push(code)
    return ''
  })
  const inline = prose.match(/`[^`\n]+`/g) ?? []
  return [...codes, ...inline.map((code) => code.slice(1, -1))].flatMap((code) =>
    [...code.replaceAll('\\\n', ' ').matchAll(/(?:^|npx |[$(|&;] ?)sandagent ([a-z][^\n#|;&)]*)/gm)].map(
      ([, rest = '']) => rest.split(' -- ')[0]?.trim() ?? '',
    ),
  )
}

const helpOf = async (...command: string[]): Promise<string> => {
  const terminal = createFakeTerminal()
  await runCli([...command, '--help'], terminal.io)
  return terminal.screen()
}

it('the documentation names only commands and options that there are', async () => {
  const listed = (await helpOf()).match(/(?<=^ {2})[a-z]+( [a-z]+)?(?= {2})/gm) ?? []
  expect(listed.length).toBeGreaterThan(10)
  const helps = new Map(
    await Promise.all(listed.map(async (name) => [name, await helpOf(...name.split(' '))] as const)),
  )
  const pages = (await Promise.all(PLACES.map(pagesIn))).flat()
  const faults: string[] = []
  let count = 0
  for (const path of pages)
    for (const line of linesIn(await readFile(join(root, path), 'utf8'))) {
      count++
      const [first = '', second = '', ...rest] = line.split(/\s+/)
      const isGroup = listed.some((name) => name.startsWith(`${first} `))
      const help = helps.get(`${first} ${second}`) ?? helps.get(first)
      if (!help && !(isGroup && second === '') && first !== 'help') {
        faults.push(`${path}: sandagent ${line}`)
        continue
      }
      const given = [second, ...rest].flatMap((word) => /^--[a-z-]+/.exec(word) ?? [])
      for (const option of given)
        if (
          !['--help', '--version'].includes(option) &&
          !help?.match(new RegExp(`(^|\\s)${option}(?![a-z-])`))
        )
          faults.push(`${path}: sandagent ${line}: ${option}`)
    }
  expect(count).toBeGreaterThan(100)
  expect(faults).toEqual([])
})
