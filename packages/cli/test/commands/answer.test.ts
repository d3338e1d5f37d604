import { spawnSync } from 'node:child_process'
import { chown, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canBeOther, OTHER_USER } from '@sandagent/fixtures/other-user.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, listQuestions, readRun, startRun } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startInTerminal } from '../../../../test/support/terminal/pseudo-terminal.ts'
import { COLOUR, createHome, type Home, main } from '../command-process.ts'
import { writeScenario } from '../write-scenario.ts'

const stored = (text: string): unknown => JSON.parse(text)

describe('sandagent answer', () => {
  it.each([
    [['--option', 'Blue'], 'completed', '"Which colour?":"Blue"'],
    [['--text', 'Green, please'], 'completed', '"Which colour?":"Green, please"'],
    [['--json', '{"answers":{"Which colour?":"Red"}}'], 'completed', '"Which colour?":"Red"'],
    [['--decline', '--reason', 'Not today'], 'declined', 'Not today'],
  ])('answers the only question with %j, and the run goes on', async (options, status, said) => {
    const home = await createHome()
    const { sandbox, run } = await home.asking('r')
    const { code, stdout, stderr } = await home.run('answer', ...options)
    expect([code, stderr]).toEqual([0, ''])
    expect(stored(stdout)).toEqual({
      sandboxId: sandbox.workdir,
      sandboxName: sandbox.workdir,
      toolCallId: 'r-1',
      status,
      revision: 1,
    })
    expect((await run.ended).stdout).toContain(said)
  })

  it('gives files by their paths, and the run gets theirs', async () => {
    const home = await createHome()
    const folder = await tempDir()
    const paths = [join(folder, 'my notes.txt'), join(folder, 'b.pdf')]
    await writeFile(paths[0] ?? '', 'a dog')
    await writeFile(paths[1] ?? '', '%PDF-1.7')
    const asks = { ask: { questions: [{ id: 'seen', question: 'What do you see?', files: { max: 2 } }] } }
    const { sandbox, run } = await home.asking('r', asks, { say: 'It is {{answers.seen}}.' })
    const missing = await home.run('answer', '--file', join(folder, 'missing'))
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('Correct its path')])
    const options = paths.flatMap((path) => ['--file', path])
    const { code, stderr } = await home.run('answer', ...options)
    expect([code, stderr]).toEqual([0, ''])
    const { stdout } = await run.ended
    for (const name of ['my notes.txt', 'b.pdf'])
      expect(stdout).toContain(`${name} at ${join(sandbox.workdir, '.sandagent/attachments')}/`)
  })

  it('stores no file of an answer that is refused, and says what is wrong', async () => {
    const home = await createHome()
    const folder = await tempDir()
    const pathOf = async (name: string, bytes: string): Promise<string> => {
      await writeFile(join(folder, name), bytes)
      return join(folder, name)
    }
    const [good, other] = [await pathOf('a.pdf', '%PDF-1.7'), await pathOf('b.pdf', '%PDF-1.6')]
    const files = { max: 2, maxBytes: 20, types: ['application/pdf'] }
    const { sandbox, run } = await home.asking('r', { ask: { questions: [{ question: 'Which?', files }] } })
    const give = (...paths: string[]) =>
      home.run('answer', 'r-1', ...paths.flatMap((path) => ['--file', path]))
    const attachments = () => readdir(join(sandbox.workdir, '.sandagent/attachments')).catch(() => [])
    for (const [paths, words] of [
      [[good, other, await pathOf('e.pdf', '%PDF-1.5')], 'This question takes 2 files, not 3. Give fewer'],
      [
        [good, await pathOf('c.pdf', '%PDF-1.7'.repeat(3))],
        'c.pdf cannot be given here: expected a file of at most 0.02 kB',
      ],
      [
        [good, await pathOf('d.txt', 'words')],
        'd.txt cannot be given here: expected a file of the type application/pdf',
      ],
      [[good, join(folder, 'missing')], 'There is no file'],
    ] as const) {
      const { code, stderr } = await give(...paths)
      expect([code !== 0, stderr]).toEqual([true, expect.stringContaining(words)])
    }
    expect(await attachments()).toEqual([])
    await home.run('answer', 'r-1', '--decline')
    await run.ended
    const late = await give(good)
    expect([late.code, late.stderr]).toEqual([3, expect.stringContaining('takes no files any more')])
    expect(await attachments()).toEqual([])
  })

  it('says that the agent is gone, and the answer kept', async () => {
    const home = await createHome()
    const { run } = await home.asking('r')
    run.child.kill('SIGKILL')
    await run.ended
    const { code, stdout, stderr } = await home.run('answer', '--option', 'Blue')
    expect([code, stored(stdout)]).toEqual([0, expect.objectContaining({ status: 'completed' })])
    expect(stderr).toBe('sandagent: The agent is gone. Your answer is kept until it is started again\n')
  })

  it('says that a question takes no files', async () => {
    const home = await createHome()
    await home.asking('r')
    const { code, stderr } = await home.run('answer', '--file', import.meta.filename)
    expect(code).not.toBe(0)
    expect(stderr).toContain('this question takes none')
  })

  it('allows a call with the input that it is given, which runs, and prints what changed', async () => {
    const home = await createHome()
    const { run } = await home.asking('r', { run: { command: 'echo', args: ['one'], needsApproval: true } })
    const { code, stdout, stderr } = await home.run('answer', '--input', '{"command":"echo two"}')
    expect([code, stderr]).toEqual([0, ''])
    expect(stored(stdout)).toMatchObject({
      status: 'completed',
      changes: [{ name: 'command', before: 'echo one', after: 'echo two' }],
    })
    const { stdout: said } = await run.ended
    expect(said).toContain('"stdout":"two"')
    expect(said).toContain('The user changed the input of Bash before allowing it.')
  })

  it.each([
    ['{"command":"echo one"}', 'another input than the agent’s'],
    ['["ls"]', 'an object'],
    ['{', 'This is no input of a call'],
  ])('allows nothing with the input %s', async (input, words) => {
    const home = await createHome()
    await home.asking('r', { run: { command: 'echo', args: ['one'], needsApproval: true } })
    const { code, stderr } = await home.run('answer', '--input', input)
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining(words)])
    expect(code).not.toBe(0)
  })

  it('says that a question is no call that may be edited', async () => {
    const home = await createHome()
    await home.asking('r')
    const { code, stderr } = await home.run('answer', '--input', '{}')
    expect(code).not.toBe(0)
    expect(stderr).toContain('is no call that may be edited. Answer it by --option: Red, Blue')
  })

  it('picks the option with this label, even if another one has it as its value', async () => {
    const home = await createHome()
    const options = [
      { label: 'Yes, delete it', value: 'No, keep it' },
      { label: 'No, keep it', value: 'keep' },
    ]
    const { sandbox, run } = await home.asking('r', {
      ask: { questions: [{ question: 'Delete it?', options }] },
    })
    expect(await home.run('answer', '--option', 'No, keep it')).toMatchObject({ code: 0, stderr: '' })
    await run.ended
    const file = await readFile(join(sandbox.workdir, '.sandagent/approvals/r-1.json'), 'utf8')
    expect(JSON.parse(file)).toMatchObject({ answers: { 'Delete it?': 'No, keep it' } })
  })

  it('takes an answer from standard input, for the question that it names', async () => {
    const home = await createHome()
    const [one, two] = [await home.asking('one'), await home.asking('two')]
    const { child, ended } = home.start(['answer', '--json', '-'])
    child.stdin.end('{"toolCallId":"two-1","answers":{"Which colour?":"Red"}}')
    expect(stored((await ended).stdout)).toMatchObject({
      sandboxId: two.sandbox.workdir,
      toolCallId: 'two-1',
    })
    expect((await two.run.ended).stdout).toContain('"Which colour?":"Red"')
    expect(await one.outcome()).toBe('open')
  })

  it('signs as a host does', async () => {
    const home = await createHome()
    vi.stubEnv('XDG_CONFIG_HOME', String(home.env.XDG_CONFIG_HOME))
    onTestFinished(() => void vi.unstubAllEnvs())
    const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation: 'none' })
    const scenario = await writeScenario(sandbox.workdir, COLOUR)
    const runner = [process.execPath, main] as const
    await startRun(sandbox, {
      agent: 'scripted',
      args: ['--scenario', scenario],
      prompt: '',
      runId: 'r',
      runner,
    })
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
    expect(await home.run('answer', 'r-1', '--option', 'Red')).toMatchObject({ code: 0, stderr: '' })
    await vi.waitFor(async () => expect((await readRun(sandbox, 'r'))?.exitCode).toBe(0))
  })

  it.runIf(canBeOther)(
    'of root leaves the answer readable for the user of the question, as sudo does',
    async () => {
      const home = await createHome()
      const { sandbox, run } = await home.asking('r')
      const uid = Number.parseInt(OTHER_USER, 10)
      await chown(join(sandbox.workdir, '.sandagent/questions/r-1.json'), uid, uid)
      expect(await home.run('answer', '--option', 'Red')).toMatchObject({ code: 0, stderr: '' })
      await run.ended
      const { uid: user, gid, mode } = await stat(join(sandbox.workdir, '.sandagent/approvals/r-1.json'))
      expect({ user, gid, mode: mode & 0o777 }).toEqual({ user: 0, gid: uid, mode: 0o440 })
    },
  )

  it.runIf(canBeOther)('leaves the answer readable for the user of the agent', async () => {
    const home = await createHome()
    const { sandbox, run } = await home.asking('r')
    const { workdir } = new LocalSandbox({ workdir: sandbox.workdir, agentUser: OTHER_USER })
    expect(await home.run('answer', '--option', 'Red')).toMatchObject({ code: 0, stderr: '' })
    await run.ended
    const { uid, gid, mode } = await stat(join(workdir, '.sandagent/approvals/r-1.json'))
    expect({ user: `${uid}:${gid}`, isReadable: (mode & 0o040) !== 0 }).toEqual({
      user: `0:${OTHER_USER.split(':')[1]}`,
      isReadable: true,
    })
  })

  it('ends with 3 once somebody else has answered', async () => {
    const home = await createHome()
    const { run } = await home.asking('r')
    await home.run('answer', 'r-1', '--option', 'Red')
    await run.ended
    const late = await home.run('answer', 'r-1', '--option', 'Blue')
    expect(late).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('Another answer came first'),
    })
  })

  it.each([
    [['--option', 'Bleu'], 2, 'There is no option Bleu. Did you mean Blue?'],
    [['--option', 'Red', '--option', 'Blue'], 2, 'This answer does not fit its question'],
    [['--json', '{'], 2, 'expected JSON'],
    [['--json', '{"toolCallId":"x"}', 'r-1'], 2, 'The answer is for x, not for r-1'],
    [['--decline', '--option', 'Red'], 2, 'Give one answer'],
    [['--reason', 'x', '--option', 'Red'], 2, '--reason needs --decline'],
    [['unknown', '--option', 'Red'], 1, 'See those that wait: sandagent questions'],
    [[], 2, 'Without a terminal, give the answer'],
  ])('ends %j with %i, and nothing is answered', async (options, code, message) => {
    const home = await createHome()
    const { outcome } = await home.asking('r')
    const ended = await home.run('answer', ...options)
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
    expect(await outcome()).toBe('open')
  })

  it('takes the beginning of an id, if only one question that waits begins so', async () => {
    const home = await createHome()
    const { run } = await home.asking('alpha')
    await home.asking('altair')
    const several = await home.run('answer', 'al', '--option', 'Red')
    expect([several.code, several.stderr]).toEqual([
      2,
      expect.stringMatching(
        /Several questions wait. Name one of them: (alpha-1, altair-1|altair-1, alpha-1)/,
      ),
    ])
    expect(await home.run('answer', 'alp', '--option', 'Red')).toMatchObject({ code: 0, stderr: '' })
    await run.ended
  })

  it.each([
    ['the number of another call', 'r-1', ['--option', 'Red']],
    ['an empty id', '', ['--option', 'Red']],
    ['the id in an answer', undefined, ['--json', '{"toolCallId":"r","answers":{"Which colour?":"Red"}}']],
  ])('takes %s for no beginning of an id', async (_, id, options) => {
    const home = await createHome()
    const { sandbox, run } = await home.asking('r')
    const questions = join(sandbox.workdir, '.sandagent/questions')
    const record = JSON.parse(await readFile(join(questions, 'r-1.json'), 'utf8'))
    await writeFile(join(questions, 'r-12.json'), JSON.stringify({ ...record, toolCallId: 'r-12' }))
    run.child.kill('SIGKILL')
    await run.ended
    await rm(join(questions, 'r-1.json'))
    const answered = await home.run('answer', ...(id === undefined ? [] : [id]), ...options)
    expect(answered).toMatchObject({ code: 1, stdout: '' })
    expect(answered.stderr).toContain('No ')
  })

  it('names the questions if several wait, and says if none does', async () => {
    const home = await createHome()
    expect(await home.run('answer', '--decline')).toMatchObject({
      code: 1,
      stderr:
        'sandagent: No question waits. Name the folder of the agent by --workdir if it asks elsewhere\n',
    })
    await home.asking('one')
    await home.asking('two')
    const { code, stderr } = await home.run('answer', '--decline')
    expect([code, stderr]).toEqual([2, expect.stringContaining('Name one of them: one-1, two-1')])
  })
})

describe('sandagent answer in a terminal', () => {
  const inTerminal = (home: Home, ...args: string[]) =>
    startInTerminal(process.execPath, [main, 'answer', ...args], { env: home.env })

  it('shows the form of the only question, and the run goes on with the answer', async () => {
    const home = await createHome()
    const { run } = await home.asking('r')
    const terminal = inTerminal(home)
    await terminal.at('Which colour?')
    await terminal.seeing('Ctrl-C', '2', '\r')
    expect((await run.ended).stdout).toContain('"Which colour?":"Blue"')
    expect(await terminal.ended).toBe(0)
  })

  it.each([{ options: ['--option', 'Red'] }, { options: ['--decline'] }])(
    'ends with 3 when something else is faster (%j)',
    async ({ options }) => {
      const home = await createHome()
      await home.asking('r')
      const terminal = inTerminal(home, 'r-1')
      await terminal.at('Which colour?')
      await home.run('answer', 'r-1', ...options)
      expect(await terminal.ended).toBe(3)
    },
  )

  it('ends with 3 when the question ends', async () => {
    const home = await createHome()
    const { run } = await home.asking('r')
    const terminal = inTerminal(home, 'r-1')
    await terminal.at('Which colour?')
    run.child.kill('SIGTERM')
    expect(await terminal.ended).toBe(3)
    expect(terminal.screen()).toContain('The agent withdrew the question.')
  })

  it('walks through several, and each run goes on with its answer', async () => {
    const home = await createHome()
    const [one, two] = [await home.asking('one'), await home.asking('two')]
    const terminal = inTerminal(home)
    await terminal.seeing(/1 of 2[\s\S]*Ctrl-C/, '1', '\r')
    await terminal.seeing(/1 of 1[\s\S]*Ctrl-C/, '2', '\r')
    expect((await one.run.ended).stdout).toContain('"Which colour?":"Red"')
    expect((await two.run.ended).stdout).toContain('"Which colour?":"Blue"')
    expect(await terminal.ended).toBe(0)
  })

  it('lets the person choose one of several in plain lines', async () => {
    const home = await createHome()
    const [one, two] = [await home.asking('one'), await home.asking('two')]
    const terminal = inTerminal(home, '--screen-reader')
    await terminal.at('Which one? 1 to 2: ', '9\r')
    await terminal.at('Which one? 1 to 2: ', '2\r')
    await terminal.seeing(/Which colour\?[\s\S]*\n>$/, '1\r')
    expect((await two.run.ended).stdout).toContain('"Which colour?":"Red"')
    expect(await one.outcome()).toBe('open')
  })

  it('takes files in plain lines, and shows those of a draft before an empty line sends them', async () => {
    const home = await createHome()
    const path = join(await tempDir(), 'a.pdf')
    await writeFile(path, '%PDF-1.7')
    const { run } = await home.asking('r', { ask: { questions: [{ question: 'Which?', files: {} }] } })
    const first = inTerminal(home, 'r-1', '--screen-reader')
    await first.seeing(/\/attach PATH gives a file[\s\S]*\n>$/, `/attach ${path}\r`)
    await first.seeing(/Given: a\.pdf[\s\S]*\n>$/, '\u0003')
    expect(await first.ended).toBe(130)
    const second = inTerminal(home, 'r-1', '--screen-reader')
    await second.seeing(/Entered so far: a\.pdf[\s\S]*\n>$/, '\r')
    expect((await run.ended).stdout).toContain('a.pdf at ')
  })

  it('shows no question in its list that another one has drawn', async () => {
    const home = await createHome()
    const question = `Which colour?${' '.repeat(59)}2. two-1  May it run?${' '.repeat(40)}3. three-1  Which?`
    await home.asking('one', { ask: { questions: [{ question, options: [{ label: 'Red' }] }] } })
    await home.asking('two')
    const terminal = startInTerminal(process.execPath, [main, 'answer', '--screen-reader'], {
      env: home.env,
      columns: 80,
      rows: 24,
    })
    await terminal.seeing('Which one? 1 to 2:')
    const lines = (await terminal.view()).split('\n')
    expect(lines.filter((line) => /^\s*\d/.test(line))).toEqual([
      expect.stringMatching(/^1\. one-1 {2}Which colour\?/),
      expect.stringMatching(/^2\. two-1 {2}Which colour\?/),
    ])
    for (const line of lines) expect(line.length).toBeLessThan(80)
    // What a terminal replies is in the line, too.
    terminal.press('\u001b[?62;1c1\r')
    await terminal.seeing(/Which one\? 1 to 2: .*\n+Which one\? 1 to 2:/, '2\r')
    await terminal.seeing(/1\. Red\s+2\. Blue/)
  })

  it('leaves the question open on Ctrl-C, and says how to come back', async () => {
    const home = await createHome()
    const { sandbox, outcome } = await home.asking('r')
    const terminal = inTerminal(home, 'r-1', '--sandbox', "env 'NOTE=a b'", '--workdir', sandbox.workdir)
    await terminal.at('Which colour?', '\u0003')
    expect(await terminal.ended).toBe(130)
    expect(await outcome()).toBe('open')
    const [, command = ''] =
      /^ {2}sandagent (answer r-1 .*)$/m.exec(terminal.screen().replaceAll('\r', '')) ?? []
    const again = spawnSync('sh', ['-c', `exec "$0" "$1" ${command} --option Red`, process.execPath, main], {
      env: home.env,
      encoding: 'utf8',
    })
    expect(again).toMatchObject({ status: 0, stderr: '' })
    expect(stored(again.stdout)).toMatchObject({ toolCallId: 'r-1', status: 'completed' })
  })
})
