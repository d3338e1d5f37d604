import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AskErrorCode } from '@sandagent/core'
import { httpStatusOf } from '@sandagent/core/internal'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'

/** Words in capitals that are no code of ours: those of systems and libraries, variables, signals, methods and formats. */
const FOREIGN =
  /^(E[A-Z]+|EAI_\w+|ERR_\w+|UND_\w+|SIG(CONT|HUP|INT|KILL|STOP|TERM|TSTP)|HOME|LOGNAME|USER|(ANTHROPIC|CLAUDE|SANDAGENT)_\w+|BEGIN|COMMIT|ROLLBACK|CLOSED|HOSTS|RUNNERS|TIMEOUT|GET|HEAD|POST|JSON|NFKC|RIFF|STARTTLS|TRACEPARENT|WEBP)$/

const page = readFileSync(join(root, 'docs/reference/errors.md'), 'utf8')
const troubleshooting = readFileSync(join(root, 'docs/guides/troubleshooting.md'), 'utf8')

/** Each entry of the page: its code, and the lines below it by their names. */
const entries = page
  .split(/^### /m)
  .slice(1)
  .map((section) => ({
    code: /^`(\w+)`/.exec(section)?.[1] ?? section,
    lines: new Map(
      Array.from(section.matchAll(/^- \*\*(.+)\*\*: (.+)$/gm), ([, name = '', text = '']) => [name, text]),
    ),
  }))
const documented = entries.map(({ code }) => code)

const packages = join(root, 'packages')
const sources = readdirSync(packages)
  .map((name) => join(packages, name, 'src'))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  // The contracts run scripts in sandboxes, with variables of their own.
  .filter((path) => /\.tsx?$/.test(path) && !path.startsWith(join(packages, 'testing/src')))

/** Every code that stands in the sources as a text or as a key. The `value` of an option is a word for its help. */
const used = new Set(
  sources.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/(?<!value: )'([A-Z][A-Z_]{3,})'|^\s+([A-Z][A-Z_]{3,}): /gm)]
      .map(([, literal, key]) => literal ?? key ?? '')
      .filter((word) => !FOREIGN.test(word)),
  ),
)

describe('the page of error codes', () => {
  it('has an entry for each code in the sources, and no other', () => {
    expect(documented.toSorted()).toEqual([...used].sort())
  })

  it('tells the status, meaning, cause and remedy of each code', () => {
    const incomplete = entries.filter(
      ({ lines }) => [...lines.keys()].join() !== 'Status,Meaning,Cause,What to do',
    )
    expect(incomplete).toEqual([])
  })

  it('names the HTTP status that clients get for each code', () => {
    const named = entries.map(({ code, lines }) => `${code}: ${lines.get('Status')}`)
    const statusOf = (code: string) => (code === 'INTERNAL' ? 500 : httpStatusOf(code as AskErrorCode))
    expect(named).toEqual(documented.map((code) => `${code}: ${statusOf(code) ?? 'none'}`))
  })
})

describe('the page of troubleshooting', () => {
  it('names each code in the sources below a symptom, with a link to its entry, and no other', () => {
    const named = [...troubleshooting.matchAll(/\[`([A-Z_]+)`\]\(\.\.\/reference\/errors\.md#(\w+)\)/g)]
    expect(named.filter(([, code, anchor]) => code?.toLowerCase() !== anchor)).toEqual([])
    expect([...new Set(named.map(([, code]) => code))].sort()).toEqual([...used].sort())
  })
})
