import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { approvalQuestion } from '@sandagent/runner'
import { submitAnswer } from '@sandagent/sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeTerminal, type FakeTerminal, KEYS } from '../../fake-terminal.ts'
import { createWaitingFolder, type WaitingFolder } from './waiting-folder.ts'

const { enter, esc, space, ctrlC } = KEYS
const colour = {
  questions: [{ id: 'q', question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }],
}
const name = { questions: [{ id: 'q', question: 'What name?' }] }

let terminal: FakeTerminal
let blog: WaitingFolder
let shop: WaitingFolder
beforeEach(async () => {
  terminal = createFakeTerminal({ rows: 30 })
  const parent = await tempDir()
  for (const folder of ['blog', 'shop']) await mkdir(join(parent, folder))
  blog = await createWaitingFolder(join(parent, 'blog'))
  shop = await createWaitingFolder(join(parent, 'shop'))
})

const answer = (): Promise<number> =>
  terminal.run('answer', '--workdir', blog.sandbox.workdir, '--workdir', shop.sandbox.workdir)

describe('sandagent answer without an id', () => {
  it('walks through all that waits, what is urgent first, and ends when nothing is left', async () => {
    await blog.ask('late', colour)
    await shop.ask('name', name)
    await shop.askPermission('bash', 'npm test')
    await blog.ask('soon', colour, { timeoutMs: 600_000 })
    const exitCode = answer()
    await terminal.at(/^1 of 4 · blog · \d+ s[\s\S]*Which colour\?[\s\S]*Ctrl-C/, '2', enter)
    await terminal.at(/1 of 3 · shop[\s\S]*npm test[\s\S]*Ctrl-C/, 'a', enter)
    await terminal.at(/1 of 2 · blog[\s\S]*Which colour\?[\s\S]*Ctrl-C/, '1', enter)
    await terminal.at(/1 of 1 · shop[\s\S]*What name\?[\s\S]*Enter type/, enter)
    await terminal.at(/❯ Answer[\s\S]*Enter send/, 'it', enter)
    await terminal.at('Enter sends now', enter)
    expect(await exitCode).toBe(0)
    const lines = [
      'blog: Blue · Which colour?',
      'shop: Allow once · Bash',
      'blog: Red · Which colour?',
      'shop: “it” · What name?',
    ]
    for (const line of lines) expect(await terminal.view()).toContain(`Sent to ${line}`)
    expect(await terminal.view()).toContain('All done: 4 questions decided.')
    await expect
      .poll(() => ({ ...blog.outcomes(), ...shop.outcomes() }))
      .toEqual({
        late: 'answered Red',
        soon: 'answered Blue',
        bash: 'answered allow-once',
        name: 'answered it',
      })
  })

  it('takes back by z what has not left, and leaves what is held unsent by Ctrl-C', async () => {
    await blog.ask('one', colour)
    await blog.ask('two', name)
    const exitCode = answer()
    await terminal.at(/1 of 2[\s\S]*Ctrl-C/, '2', enter)
    await terminal.at(/Sends in 5 s: blog: Blue · Undo \(z or Esc\)[\s\S]*What name\?/, 'z')
    await terminal.at(/1 of 2[\s\S]*❯ 2\. ● Blue[\s\S]*Ctrl-C/, '1', enter)
    await terminal.at(/Sends in 5 s: blog: Red[\s\S]*What name\?[\s\S]*Ctrl-C/, ctrlC)
    expect(await exitCode).toBe(130)
    expect(await terminal.view()).toMatch(
      /Not sent to blog: Red\. It waits on\.\nWhat is not decided waits on\./,
    )
    await expect.poll(blog.outcomes).toEqual({ one: 'open', two: 'open' })
  })

  it('shows a changed call again that was taken back by z, and sends none that was not looked at again', async () => {
    const subject = { toolName: 'Bash', input: { command: 'ls' }, editable: true as const }
    const questions = [approvalQuestion('Bash', {})]
    await blog.ask('one', { kind: 'approval', toolName: 'Bash', subject, questions })
    await blog.ask('two', colour)
    const exitCode = answer()
    await terminal.at(/1 of 2[\s\S]*c change it[\s\S]*Ctrl-C/, 'c')
    await terminal.at('Enter look at the change', ' -l', enter)
    await terminal.at(/\+ │ ls -l[\s\S]*1 pick/, '1', enter)
    await terminal.at(/Sends in \d s: blog: Allow once, with the input[\s\S]*Which colour\?/, 'z')
    await terminal.at(/\+ │ ls -l[\s\S]*1 pick/, enter)
    await terminal.at('Nothing is marked yet', esc)
    await terminal.at('Enter look at the change', esc)
    await terminal.at(/1\. ○ Allow once[\s\S]*Ctrl-C/, 'a', enter)
    await terminal.at(/Sends in \d s: blog: Allow once · Undo/)
    await expect.poll(() => blog.outcomes().one, { timeout: 20_000 }).toBe('answered allow-once')
    await terminal.at('Ctrl-C leave', ctrlC)
    expect(await exitCode).toBe(130)
  })

  it('lets the last one be taken back, too, whatever is typed on', async () => {
    await blog.askPermission('bash', 'ls')
    const exitCode = answer()
    await terminal.at(/1 of 1[\s\S]*Ctrl-C/, 'a')
    await terminal.at('● Allow once', enter, enter, enter, 'a', enter)
    await terminal.at(/Sends in \d s: blog: Allow once[\s\S]*Enter sends now/, 'z')
    await terminal.at(/1 of 1[\s\S]*Ctrl-C/, ctrlC)
    expect(await exitCode).toBe(130)
    await expect.poll(blog.outcomes).toEqual({ bash: 'open' })
    expect(terminal.screen()).toContain(
      `To go on: sandagent answer --workdir ${blog.sandbox.workdir} --workdir ${shop.sandbox.workdir}`,
    )
  })

  it('lists the keys that do something with what is asked', async () => {
    await shop.askPermission('bash', 'ls')
    await blog.ask('one', colour)
    const exitCode = answer()
    await terminal.at(/1 of 2 · shop[\s\S]*Ctrl-C/, '?')
    await terminal.at(/d .*pick Deny; twice[\s\S]*Any key/)
    expect(await terminal.view()).not.toMatch(/own words|note|filter|check/)
    await terminal.at('Any key', space)
    await terminal.at(/Tool: │ Bash[\s\S]*Ctrl-C/, 'd')
    await terminal.at('● Deny', 'd')
    await terminal.at('Decline to answer?', esc)
    await terminal.at(/Tool: │ Bash[\s\S]*Ctrl-C/, 'j')
    await terminal.at(/2 of 2 · blog[\s\S]*Ctrl-C/, '?')
    await terminal.at(/d +decline\n +o +own words\n +n +a note[\s\S]*Any key/)
    expect(await terminal.view()).not.toMatch(/Allow once|Deny|this tool/)
    await terminal.at('Any key', ctrlC)
    expect(await exitCode).toBe(130)
  })

  it('lets questions join, and says which were answered elsewhere', async () => {
    await blog.ask('one', colour)
    await blog.ask('two', name)
    const exitCode = answer()
    await terminal.at(/1 of 2[\s\S]*Which colour[\s\S]*Ctrl-C/, 'j')
    await terminal.at(/2 of 2[\s\S]*What name/)
    await shop.askPermission('bash', 'ls')
    await terminal.at(/3 of 3[\s\S]*What name/)
    const by = { answeredBy: 'Ann' }
    await submitAnswer(blog.sandbox, { toolCallId: 'one', answers: { 'Which colour?': 'Red' } }, by)
    await terminal.at('blog · answered elsewhere by Ann: Red · Which colour?')
    await submitAnswer(blog.sandbox, { toolCallId: 'two', answers: { 'What name?': 'it' } }, by)
    await terminal.at(/Answered elsewhere by Ann\.[\s\S]*1 of 1 · shop[\s\S]*Ctrl-C/, 'd', enter)
    expect(await exitCode).toBe(0)
    await expect.poll(shop.outcomes).toEqual({ bash: 'answered deny' })
  })

  it('sends nothing by what is typed blindly, or by letters that are no keys', async () => {
    await blog.ask('one', { questions: [{ ...colour.questions[0], id: 'q', question: 'First?' }] })
    await blog.ask('two', colour)
    const exitCode = answer()
    await terminal.at(/First\?[\s\S]*Ctrl-C/, 'x')
    await terminal.at('“x” is no key here. ? lists the keys.', 'just 1', enter)
    await terminal.at(/Which colour\?[\s\S]*Ctrl-C/)
    expect(await terminal.view()).not.toMatch(/●|Sends in/)
    await terminal.at('Which colour?', '?')
    await terminal.at(/j k .*next question[\s\S]*Any key goes back/, esc)
    await terminal.at(/Which colour\?[\s\S]*Ctrl-C/, 'o')
    await terminal.at('❯ Own answer', 'jdsz 2', esc)
    await terminal.at(/Own answer: jdsz 2[\s\S]*n note|Own answer: jdsz 2[\s\S]*\? keys/, esc)
    await terminal.at('There is nothing to go back to. d declines, Ctrl-C leaves.', ctrlC)
    expect(await exitCode).toBe(130)
    await expect.poll(blog.outcomes).toEqual({ one: 'open', two: 'open' })
  })

  it('puts off until later, and brings back by z', async () => {
    await blog.ask('one', { questions: [{ ...colour.questions[0], id: 'q', question: 'First?' }] })
    await blog.ask('two', colour)
    const exitCode = answer()
    await terminal.at(/First\?[\s\S]*Ctrl-C/, 's')
    await terminal.at(/Not now: it comes back at \d[\s\S]*Which colour\?/, 'z')
    await terminal.at(/First\?[\s\S]*Ctrl-C/, 's')
    await terminal.at(/1 of 1[\s\S]*Which colour\?[\s\S]*Ctrl-C/, 'd')
    await terminal.at('❯ Decline, because', enter)
    expect(await exitCode).toBe(0)
    expect(await terminal.view()).toContain('All done: one question decided. 1 put off: it waits on.')
    await expect.poll(blog.outcomes).toEqual({ one: 'open', two: 'declined' })
  })

  it('shows anew what has changed, and sends no answer to it that was meant for the old one', async () => {
    await blog.ask('one', colour)
    const exitCode = answer()
    await terminal.at(/Which colour\?[\s\S]*Ctrl-C/, '2')
    await terminal.at('● Blue')
    const path = '.sandagent/questions/one.json'
    const record = JSON.parse((await blog.sandbox.files.read(path)) ?? '')
    record.questions[0].question = 'Delete all?'
    await blog.sandbox.files.writeAtomic(path, JSON.stringify(record))
    await terminal.at(/has changed · Delete all\?[\s\S]*│ Delete all\?[\s\S]*Ctrl-C/, ctrlC)
    expect(await exitCode).toBe(130)
    await expect.poll(blog.outcomes).toEqual({ one: 'open' })
  })
})

describe('several approvals of the same tool', () => {
  it('are decided together, once each was shown in full, and each has its own answer', async () => {
    for (const call of ['one', 'two', 'three'])
      await blog.askPermission(call, Array.from({ length: 12 }, (_, line) => `${call} ${line}`).join('\n'))
    await shop.askPermission('four', 'npm test')
    await shop.ask('other', colour)
    const exitCode = answer()
    await terminal.at(/1 of 5 · blog[\s\S]*Ctrl-C/, 'b')
    await terminal.at(
      /4 calls of Bash, decided together\n\nCall 1 of 4 · blog[\s\S]*Nothing can be allowed[\s\S]*2\. ○ Deny all 4\nSpace more/,
    )
    expect(await terminal.view()).not.toContain('Allow all')
    await terminal.at('Space more lines', '1')
    await terminal.at('There is more to read before you decide', enter, space)
    await terminal.at('lines above: PgUp', space, space, space)
    await terminal.at(
      /lines above[\s\S]*npm test[\s\S]*1\. ○ Allow all 4, each once\n {2}2\. ○ Deny all 4/,
      '1',
    )
    await terminal.at('❯ 1. ● Allow all 4', enter)
    await terminal.at(/Sends in 5 s: blog, shop: Allow once, 4 calls[\s\S]*Which colour/, 'z')
    await terminal.at(/1 of 5 · blog[\s\S]*Ctrl-C/)
    expect([blog.outcomes(), shop.outcomes()].flatMap((each) => Object.values(each))).toEqual(
      Array(5).fill('open'),
    )
    await terminal.at(/1 of 5 · blog[\s\S]*Ctrl-C/, 'b')
    await terminal.at(/decided together[\s\S]*Space more lines/, '2', enter)
    await terminal.at(/1 of 1[\s\S]*Which colour[\s\S]*Ctrl-C/, '1', enter)
    expect(await exitCode).toBe(0)
    await expect
      .poll(blog.outcomes)
      .toEqual({ one: 'answered deny', two: 'answered deny', three: 'answered deny' })
    await expect.poll(shop.outcomes).toEqual({ four: 'answered deny', other: 'answered Red' })
  })

  it('leave out the one that changes, and name it', async () => {
    for (const call of ['one', 'two', 'three']) await blog.askPermission(call, `npm run ${call}`)
    const exitCode = answer()
    await terminal.at(/1 of 3[\s\S]*Ctrl-C/, 'b')
    await terminal.at(/Call 3 of 3[\s\S]*1\. ○ Allow all 3/)
    const path = '.sandagent/questions/two.json'
    const record = JSON.parse((await blog.sandbox.files.read(path)) ?? '')
    record.subject.input.command = 'rm -rf /'
    await blog.sandbox.files.writeAtomic(path, JSON.stringify(record))
    await terminal.at(/blog · has changed · Bash \{"command":"rm -rf \/"\}[\s\S]*1\. ○ Allow all 2/)
    expect(await terminal.view()).not.toMatch(/│ rm -rf/)
    await terminal.at('1–2 pick', '1')
    await terminal.at('● Allow all 2', enter)
    await terminal.at(/1 of 1 · blog[\s\S]*│ rm -rf \/[\s\S]*Ctrl-C/, 'd', enter)
    expect(await exitCode).toBe(0)
    await expect.poll(blog.outcomes).toEqual({
      one: 'answered allow-once',
      two: expect.not.stringContaining('allow'),
      three: 'answered allow-once',
    })
  })

  it('leave out the one that cannot be read, and say so', async () => {
    for (const call of ['one', 'two', 'three']) await blog.askPermission(call, `npm run ${call}`)
    const exitCode = answer()
    await terminal.at(/1 of 3[\s\S]*Ctrl-C/)
    const path = '.sandagent/questions/two.json'
    const record = (await blog.sandbox.files.read(path)) ?? ''
    await blog.sandbox.files.writeAtomic(path, '{')
    await terminal.at(/1 of \d/, 'b')
    await terminal.at(/blog cannot be read: [\s\S]*1\. ○ Allow all 2/)
    await blog.sandbox.files.writeAtomic(path, record)
    await terminal.at('1–2 pick', ctrlC)
    expect(await exitCode).toBe(130)
  })

  it('need another one: b says so', async () => {
    await blog.askPermission('one', 'ls')
    await blog.ask('two', colour)
    const exitCode = answer()
    await terminal.at(/1 of 2[\s\S]*Ctrl-C/, 'b')
    await terminal.at('No other one waits.', 'j')
    await terminal.at(/2 of 2[\s\S]*Ctrl-C/, 'b')
    await terminal.at(/No other one waits|b is for approvals/, ctrlC)
    expect(await exitCode).toBe(130)
  })
})
