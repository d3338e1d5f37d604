import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWithin, type Reach, reachesOf, reachText } from '../../src/reach/reach.ts'

const execute = promisify(execFile)

const bash = (command: string, more: object = {}) => ({
  toolName: 'Bash',
  input: { command, ...more },
  hostFolder: undefined,
})
const reachOf = (command: string, kind: Reach['kind'] = 'command'): Reach => {
  const found = reachesOf(bash(command)).filter((reach) => reach.kind === kind)
  return found.at(-1) as Reach
}
const texts = (command: string): string[] => reachesOf(bash(command)).map(reachText)

it('covers no plan: each is read before it is accepted', () => {
  const plan = { toolName: 'ExitPlanMode', input: { plan: '1. Pack' }, hostFolder: undefined }
  expect(reachesOf(plan)).toEqual([])
  expect(isWithin({ kind: 'tool', toolName: 'ExitPlanMode' }, plan)).toMatchObject({ isCovered: false })
})

describe('what a person can allow with a command', () => {
  it('is this command first, then those that start alike', () => {
    expect(texts('node build.js --watch')).toEqual([
      'Exactly the command `node build.js --watch`',
      'Every command that starts with `node build.js`',
      'Every command that starts with `node`',
    ])
    expect(texts('ls -la src')).toEqual([
      'Exactly the command `ls -la src`',
      'Every command that starts with `ls`',
    ])
    expect(texts('git status --short').at(-1)).toBe('Every command that starts with `git status`')
    expect(texts('npm run build').at(-1)).toBe('Every command that starts with `npm run build`')
  })

  it.each([
    'git -C /elsewhere push',
    'npm run',
    'sudo ls',
    'bash -c ls',
    'env node x.js',
    'xargs rm',
    'rm -rf build',
    './build.sh',
    '/usr/bin/node x.js',
    'NODE_OPTIONS=--require=./x node y.js',
    'node a.js && rm b',
    'node\ta.js',
    '',
    '-n',
  ])('is this call alone for %j', (command) => {
    expect(reachesOf(bash(command)).map(({ kind }) => kind)).toEqual(['call'])
  })

  it('is nothing for a tool whose name is not plain', () => {
    expect(reachesOf({ ...bash('ls'), toolName: 'Bash`, for nothing' })).toEqual([])
  })

  it('is every call of a tool only if no field of it runs what it is given', () => {
    const kinds = (toolName: string, input: unknown) =>
      reachesOf({ toolName, input, hostFolder: undefined }).map(({ kind }) => kind)
    expect(kinds('mcp__github__create_issue', { title: 'x' })).toEqual(['call', 'tool'])
    expect(kinds('mcp__shell__run', { command: 'ls' })).toEqual(['call'])
    expect(kinds('execute', { code: '1' })).toEqual(['call'])
    expect(kinds('Bash', { cmd: 'ls' })).toEqual(['call'])
  })
})

/** What may stand behind or around an allowed beginning, and makes something else of it. */
const TRICKS = [
  ...[';', '&&', '||', '|', '&', '\n', '\r', '\n\n', ';;', '|&', '&>', '>', '>>', '<', '<<<', '<(', '>('],
  ...['$(rm b)', '`rm b`', '$IFS', '$x', '$((1))', '\\', '\\\n', '!', '#', '~', '*', '?', '[a]', '{a,b}'],
  ...['(', ')', '"$(rm b)"', '"`rm b`"', '"\\"', '"!x"', "$'x'", '\t', '\v', '\f', '\0', '\u001b[2K'],
  ...[
    '\u00a0',
    '\u2028',
    '\u2029',
    '\u202e',
    '\u200b',
    '\u3000',
    '\ufeff',
    '\uff1b',
    '\uff06',
    '\u0430',
    '%',
    '^',
  ],
]

describe('a command that starts with what is allowed', () => {
  const node = reachOf('node build.js')

  it.each(['node', 'node x.js', 'node  -e "1 + 1"', "node -e 'a; b && c $(d)'", 'node a=b c,d +e @f'])(
    'passes as %j',
    (command) => expect(isWithin(node, bash(command))).toEqual({ isCovered: true }),
  )

  it.each(TRICKS)('does not pass with %j behind it, in it or before it', (trick) => {
    for (const command of [
      `node${trick}rm b`,
      `node x.js ${trick} rm b`,
      `node x.js${trick}`,
      `${trick} node x.js`,
    ])
      expect(isWithin(node, bash(command)).isCovered, command).toBe(false)
  })

  it.each([
    'nodemon x.js',
    'NODE_OPTIONS=--require=./x node y.js',
    'PATH=. node y.js',
    '"node" x.js',
    "n'od'e x.js",
    'n\\ode x.js',
    './node x.js',
    'Node x.js',
    'nоde x.js', // The second letter is Cyrillic.
    '-- node x.js',
    'command node x.js',
    'node"" x.js',
    // To fish, the second quote is escaped, and the third one ends the text.
    "node 'x\\' '; rm b; '",
  ])('does not pass as %j', (command) => {
    expect(isWithin(node, bash(command)).isCovered).toBe(false)
  })

  it('says what keeps it from being covered', () => {
    const why = (command: string, more?: object) => isWithin(node, bash(command, more)).why
    expect(why('node a.js && rm b')).toBe('it has `&&`')
    expect(why('node a.js\nrm b')).toBe('it has a line break')
    expect(why('node `x`')).toBe('it has a backtick')
    expect(why('node "$x"')).toBe('it has quotes that a shell may expand')
    expect(why('node \u202ex')).toBe('it has a character that looks like another one, or like none (U+202E)')
    expect(why('node a.js', { dangerouslyDisableSandbox: true })).toBe('it runs with other settings')
    expect(why('rm a')).toBeUndefined()
  })

  it('does not pass with other settings, whatever the agent says about it', () => {
    const passes = (more: object) => isWithin(node, bash('node a.js', more)).isCovered
    expect(passes({ description: 'Harmless', timeout: 1 })).toBe(true)
    for (const more of [{ run_in_background: true }, { cwd: '/' }, { shell: 'sh' }, { input: 'rm b' }])
      expect(passes(more), JSON.stringify(more)).toBe(false)
  })

  it('does not pass for another tool', () => {
    expect(isWithin(node, { ...bash('node a.js'), toolName: 'bash' }).isCovered).toBe(false)
  })

  it('has the allowed words and nothing that a shell reads otherwise, whatever it is', () => {
    const sign = fc.oneof(
      fc.constantFrom(...TRICKS, ' ', 'node', 'rm', "'", '"', '=', '-', '.', '/'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    )
    const command = fc.array(sign, { maxLength: 12 }).map((signs) => `node${signs.join('')}`)
    fc.assert(
      fc.property(command, (text) => {
        if (!isWithin(node, bash(text)).isCovered) return
        // Without its quoted parts, only plain characters are left.
        const bare = text.replace(/'[^']*'/g, 'q').replace(/"[^"$`\\!]*"/g, 'q')
        expect(bare).toMatch(/^ *node( [A-Za-z0-9_./:@+,= -]*)?$/)
        expect(text).not.toMatch(/\p{C}/u)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a shell', () => {
  it.each(['bash', 'sh'])('runs the allowed program once and nothing else, by %s', async (shell) => {
    const cwd = await tempDir()
    const node = reachOf('node build.js')
    const part = fc.constantFrom(
      ...TRICKS,
      ...' \'"=-./:@+,'.split(''),
      'node',
      'rm b',
      "';'",
      '"a b"',
      'x=1',
    )
    const commands = fc
      .sample(fc.array(part, { maxLength: 6 }), 4000)
      .map((parts) => `node ${parts.join('')}`)
      .filter((command) => isWithin(node, bash(command)).isCovered)
    const some = [...new Set(commands)].slice(0, 60)
    expect(some.length).toBeGreaterThan(30)
    for (const command of some) {
      // Without a path, the shell finds nothing else.
      const script = `PATH=; node() { echo node; }\n${command}`
      const { stdout, stderr } = await execute(
        `/bin/${shell}`,
        [...(shell === 'bash' ? ['--norc'] : []), '-c', script],
        { cwd, env: {} },
      )
      expect({ command, stdout, stderr }).toEqual({ command, stdout: 'node\n', stderr: '' })
    }
    expect(await readdir(cwd)).toEqual([])
  })
})

describe('an exact call', () => {
  it('covers only what is equal, whatever the agent says about a command', () => {
    const exact = reachOf('npm test', 'call')
    expect(isWithin(exact, bash('npm test', { description: 'Other words' })).isCovered).toBe(true)
    for (const other of [bash('npm test '), bash('npm  test'), bash('npm test', { run_in_background: true })])
      expect(isWithin(exact, other).isCovered).toBe(false)
  })

  it('covers no other input', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const call = (input: unknown) => ({ toolName: 'Fetch', input, hostFolder: undefined })
        const [exact] = reachesOf(call(a)) as [Reach]
        expect(isWithin(exact, call(a)).isCovered).toBe(true)
        if (JSON.stringify(a) !== JSON.stringify(b) && !isSorted(a, b))
          expect(isWithin(exact, call(b)).isCovered).toBe(false)
      }),
    )
  })
})

/** Whether two values differ in the order of keys alone. */
const isSorted = (a: unknown, b: unknown): boolean => keysSorted(a) === keysSorted(b)
const keysSorted = (value: unknown): string =>
  JSON.stringify(value, (_, entry) =>
    entry && typeof entry === 'object' && !Array.isArray(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([x], [y]) => (x < y ? -1 : 1)))
      : entry,
  )
