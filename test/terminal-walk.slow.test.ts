import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { type AskRequest, approvalQuestion, askUser } from '@sandagent/runner'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../scripts/run.mjs'
import { type PseudoTerminal, startInTerminal } from './support/terminal/pseudo-terminal.ts'

const main = join(root, 'packages/cli/dist/main.js')
const [enter, esc] = ['\r', '\u001b']
type Asked = Omit<AskRequest, 'toolCallId' | 'runId'>

const options = [{ label: 'Red' }, { label: '青い 👍🏽' }]
const permission = (command: string): Asked => ({
  ...{ kind: 'approval', toolName: 'Bash' },
  subject: { toolName: 'Bash', input: { command } },
  questions: [approvalQuestion('Bash', {})],
})

/** What is asked, the keys that decide it, and what the agent must get. */
const KINDS: readonly { asks(number: number): Asked; keys: readonly string[]; becomes: string }[] = [
  {
    asks: (n) => ({ questions: [{ id: 'q', question: `N${n}: which?`, options }] }),
    keys: ['2', enter],
    becomes: 'answered 青い 👍🏽',
  },
  { asks: (n) => permission(`N${n}:`), keys: ['a', enter], becomes: 'answered allow-once' },
  {
    asks: (n) => ({ questions: [{ id: 'q', question: `N${n}: many?`, multiSelect: true, options }] }),
    keys: ['1', '2', enter],
    becomes: 'answered Red,青い 👍🏽',
  },
  { asks: (n) => permission(`N${n}:`), keys: ['d', enter], becomes: 'answered deny' },
  {
    asks: (n) => ({ questions: [{ id: 'q', question: `N${n}: name?` }] }),
    keys: [enter, 'x', enter],
    becomes: 'answered x',
  },
  {
    asks: (n) => ({ questions: [{ id: 'q', question: `N${n}: really?`, options }] }),
    keys: ['d', enter],
    becomes: 'declined',
  },
]

/** Three folders in which agents ask, and the command that walks through what they ask. */
async function walk(
  asked: Readonly<Record<string, Asked>>,
  look: { columns?: number; rows?: number; env?: NodeJS.ProcessEnv; before?: readonly string[] } = {},
) {
  const parent = await tempDir()
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const outcomes: Record<string, string> = {}
  const workdirs = ['blog', 'shop', 'api'].map((name) => join(parent, name))
  for (const workdir of workdirs) await mkdir(workdir)
  let count = 0
  const ask = async (toolCallId: string, request: Asked): Promise<void> => {
    outcomes[toolCallId] = 'open'
    const workdir = workdirs[count++ % 3] as string
    await new Promise<void>((resolve, reject) => {
      askUser(
        createFileRunnerChannel({ workdir }),
        { ...request, toolCallId, runId: 'r' },
        { signal: end.signal, onAsked: async () => resolve() },
      ).then(({ kind, responses }) => {
        const said = Object.values(responses).flatMap((response) =>
          'selected' in response ? [response.selected.join(','), response.freeText ?? ''] : [],
        )
        outcomes[toolCallId] = [kind, ...said.filter(Boolean)].join(' ')
      }, reject)
    })
  }
  for (const [toolCallId, request] of Object.entries(asked)) await ask(toolCallId, request)
  const args = workdirs.flatMap((workdir) => ['--workdir', workdir])
  const env = { XDG_CONFIG_HOME: await tempDir(), ...look.env }
  const [program = '', ...words] = [...(look.before ?? []), process.execPath, main, 'answer', ...args]
  const terminal = startInTerminal(program, words, { ...look, env })
  return { ...terminal, ask, outcomes }
}

/** Nothing was wrapped or pushed out: the first line of the walk is on top, and the form has what follows. */
const fits = async ({ view }: PseudoTerminal, rows: number): Promise<void> => {
  const lines = (await view()).split('\n')
  expect(lines.length).toBeLessThan(rows)
  expect(lines[0]).toMatch(/^(\d of \d · |Sends in )/)
}

describe('a walk in a real terminal', () => {
  it('decides fifty mixed questions by at most three keys each, and sends nothing that was not meant', async () => {
    const kindOf = (number: number) => KINDS[number % KINDS.length] as (typeof KINDS)[number]
    const numbers = Array.from({ length: 50 }, (_, number) => number)
    const asked = Object.fromEntries(numbers.map((number) => [`call-${number}`, kindOf(number).asks(number)]))
    const { seeing, view, ended, outcomes } = await walk(asked, { columns: 100, rows: 30 })
    const seen = new Set<number>()
    while (seen.size < 50) {
      let number = -1
      await expect
        .poll(async () => {
          const [head = '', ...rest] = (await view()).split(/^(?=\d+ of \d+ · )/m).reverse()
          const [, found = '-1'] = /│ .*?N(\d+):/.exec(head) ?? []
          number = Number(found)
          return /Ctrl-C leave/.test(head) && number >= 0 && !seen.has(number) && rest.length < 9
        })
        .toBe(true)
      seen.add(number)
      const { keys } = kindOf(number)
      expect(keys.length).toBeLessThanOrEqual(3)
      const [first = '', ...others] = keys
      await seeing(/Ctrl-C leave/, first)
      for (const key of others) await seeing(/●|\[x\]|❯ Answer|❯ Decline/, key)
    }
    await seeing(/Nothing else waits|All done/)
    expect(await ended).toBe(0)
    await expect
      .poll(() => outcomes)
      .toEqual(Object.fromEntries(numbers.map((number) => [`call-${number}`, kindOf(number).becomes])))
  })

  it.each([
    { columns: 40, rows: 10 },
    { columns: 200, rows: 50 },
    { columns: 80, rows: 24, env: { NO_COLOR: '1', FORCE_COLOR: undefined } },
  ])('fits %j, whatever an agent draws', async (look) => {
    const hostile =
      'Sends in 3 s: Red · Undo (z or Esc)\n\u001b[2J\u001b]0;x\u0007\u202e❯ 1. ● Allow\n1–2 pick · Enter send\n'
    const asked: Record<string, Asked> = {
      hostile: {
        asker: { agent: '1 of 1 · Ctrl-C leave\u001b[A' },
        questions: [
          {
            id: 'q',
            question: `${hostile}${'x\n'.repeat(10_000)}`,
            options: [{ label: '❯ 1. ● Allow' }, { label: '漢字👍🏽' }],
          },
        ],
      },
      wide: { questions: [{ id: 'q', question: '漢字かな交じり文👍'.repeat(40), options }] },
    }
    const terminal = await walk(asked, look)
    const { seeing, press, view, output, ended, outcomes } = terminal
    await seeing(/^│ Sends in 3 s/m)
    await fits(terminal, look.rows)
    expect(await view()).not.toMatch(/^Sends in|^❯ 1\. ● Allow/m)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
    expect(output()).not.toMatch(/\u001b\[2J|\u202e|\u001b\]0;x/)
    await expect
      .poll(
        async () => {
          press('2')
          return view()
        },
        { interval: 600 },
      )
      .toMatch(/❯ 2\. ●/)
    press(enter)
    await seeing(/^Sends in \d s: .*Undo/m)
    await fits(terminal, look.rows)
    press('\u0003')
    expect(await ended).toBe(130)
    expect(await view()).toContain('Not sent to')
    expect(outcomes).toEqual({ hostile: 'open', wide: 'open' })
    if (look.env?.NO_COLOR)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
      expect(output()).not.toMatch(/\u001b\[[\d;]*m/)
  })

  it('goes on counting, and can be undone, while the window gets another size', async () => {
    const { seeing, resize, view, ended, outcomes, press } = await walk({
      one: { questions: [{ id: 'q', question: 'First?', options }] },
      two: { questions: [{ id: 'q', question: 'Second?', options }] },
    })
    await seeing(/First\?[\s\S]*Ctrl-C/, '1')
    await seeing('❯ 1. ● Red', enter)
    await seeing(/Sends in[\s\S]*Second\?/)
    resize(44, 12)
    await seeing(/Sends in \d s: .*Undo: z/)
    resize(120, 40)
    await seeing(/Sends in \d s: .*Undo \(z or Esc\)/, 'z')
    await seeing(/First\?[\s\S]*● Red/)
    expect(await view()).not.toContain('Sends in')
    press('\u0003')
    expect(await ended).toBe(130)
    expect(outcomes).toEqual({ one: 'open', two: 'open' })
  })

  it('sends nothing by Enter with Ctrl-C right behind it', async () => {
    const { seeing, view, ended, outcomes } = await walk({
      one: { questions: [{ id: 'q', question: 'First?', options }] },
    })
    await seeing(/First\?[\s\S]*Ctrl-C/, '1', enter, '\u0003')
    expect(await ended).toBe(130)
    expect(await view()).not.toMatch(/^Sent to/m)
    expect(outcomes).toEqual({ one: 'open' })
  })

  it('drops what is typed while another question takes the place of one, and what a terminal replies', async () => {
    const { seeing, press, view, ask, ended, outcomes } = await walk({
      one: { questions: [{ id: 'q', question: 'First?', options }] },
    })
    await seeing(/First\?[\s\S]*Ctrl-C/)
    await ask('two', permission('rm -rf /'))
    await seeing('2 of 2')
    press('\u001b[?62;22c', '\u001b]11;rgb:1111/2222/3333\u001b\\', '\u001b[?1u', '\u001b[5;1R')
    press('k', '1', enter, '1', enter)
    await seeing(/│ .*rm -rf \/[\s\S]*Ctrl-C/)
    expect(await view()).not.toMatch(/●|Sends in/)
    press(esc)
    await seeing('There is nothing to go back to')
    press('\u0003')
    expect(await ended).toBe(130)
    expect(outcomes).toEqual({ one: 'open', two: 'open' })
  })

  it('is in plain lines where TERM is dumb', async () => {
    const { seeing, ended, outcomes } = await walk(
      { one: { questions: [{ id: 'q', question: 'First?', options }] } },
      { before: ['env', 'TERM=dumb'] },
    )
    await seeing(/First\?[\s\S]*\n>$/, `1${enter}`)
    expect(await ended).toBe(0)
    await expect.poll(() => outcomes).toEqual({ one: 'answered Red' })
  })
})
