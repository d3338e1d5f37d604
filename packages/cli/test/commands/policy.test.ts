import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { listQuestions } from '@sandagent/sdk'
import { expect, it, vi } from 'vitest'
import { startInTerminal } from '../../../../test/support/terminal/pseudo-terminal.ts'
import { createHome, main } from '../command-process.ts'
import { writeScenario } from '../write-scenario.ts'

/** A file with a policy, or with another text. */
async function fileWith(policy: unknown): Promise<string> {
  const file = join(await tempDir(), 'policy.json')
  await writeFile(file, typeof policy === 'string' ? policy : JSON.stringify(policy))
  return file
}

it('answer counts votes by a policy, and refuses people who may not answer', async () => {
  const home = await createHome()
  const { outcome, run } = await home.asking('r')
  const policy = await fileWith([{ roles: ['lead'], votes: 2 }])
  const answer = (name: string, ...more: string[]) =>
    home.run('answer', '--policy', policy, '--name', name, ...more)
  const [refused, voted] = await Promise.all([
    answer('Eve', '--option', 'Red'),
    answer('Ada', '--role', 'lead', '--option', 'Blue'),
  ])
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'sandagent: Only a person with the role lead may answer this\n',
  ])
  expect(JSON.parse(voted.stdout)).toMatchObject({ status: 'pending', missingVotes: 1 })

  const form = (...args: string[]) =>
    startInTerminal(process.execPath, [main, 'answer', 'r-1', '--policy', policy, ...args], { env: home.env })
  const eve = form('--name', 'Eve')
  const ada = form('--name', 'Ada', '--role', 'lead')
  await eve.seeing('Only a person with the role lead may answer this.')
  await ada.seeing('Your vote is stored.')
  await ada.seeing('2 people must give the same answer; 1 has voted')
  const ben = form('--name', 'Ben', '--role', 'lead', '--screen-reader')
  await ben.seeing(/Ada has voted Blue[\s\S]*\n>$/)
  expect(await outcome()).toBe('open')
  await ada.seeing('c change your vote', 'c')
  await ada.seeing('1–2 pick', '1', '\r')
  await ben.seeing('Ada has voted Red', '1\r')
  expect((await run.ended).code).toBe(0)
  // Eve was too late.
  expect(await Promise.all([eve.ended, ada.ended, ben.ended])).toEqual([3, 0, 0])
  expect(await outcome()).toBe('answered')
})

it('answer says that a run checks no passkeys where a policy demands some', async () => {
  const home = await createHome()
  const call = { toolName: 'Bash', input: { command: 'ls' } }
  await home.asking('r', { run: { command: 'ls', needsApproval: true } })
  const policy = await fileWith([{ for: { tools: [call.toolName] }, passkey: true }, {}])
  for (const more of [[], ['--screen-reader']]) {
    const words = [main, 'answer', '--policy', policy, '--name', 'Ada', ...more, 'r-1']
    const form = startInTerminal(process.execPath, words, { env: home.env })
    await form.seeing(/policy of the\s+run\s+demands\s+none/)
  }
})

it('questions and doctor say what a run demands of passkeys, and what the inbox does', async () => {
  const home = await createHome()
  const policy = await fileWith([{ for: { tools: ['Bash'] }, passkey: true }, {}])
  const inbox = 'http://localhost:7263'
  const { sandbox } = await home.asking('r', { run: { command: 'ls', needsApproval: true } })
  const scenario = await writeScenario(sandbox.workdir, { run: { command: 'ls', needsApproval: true } })
  const words = ['run', '--scenario', scenario, '--workdir', sandbox.workdir, '--run-id', 's']
  home.start([...words, '--policy', policy, '--inbox', inbox, '--', 'x'])
  await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(2))
  const said = async (command: string, ...more: string[]): Promise<string> =>
    (await home.run(command, '--workdir', sandbox.workdir, ...more)).stdout
  const none = 'the policy of the run demands none'
  const own = `Only a passkey allows this, on ${inbox}. Here you can deny it`
  const elsewhere = `This run takes passkeys only from ${inbox}, and this is http://localhost:1`

  const bare = await said('questions')
  expect([bare.includes(none), bare.includes(own)]).toEqual([false, true])
  const under = await said('questions', '--policy', policy)
  expect([under.includes(none), under.includes(own)]).toEqual([true, true])
  for (const command of ['questions', 'doctor']) {
    const here = await said(command, '--policy', policy, '--inbox', inbox)
    expect([here.includes(none), here.includes('This run takes')]).toEqual([true, false])
    const other = await said(command, '--policy', policy, '--inbox', 'http://localhost:1')
    expect([other.includes(none), other.includes(elsewhere)]).toEqual([true, true])
  }
  expect((await home.run('doctor', '--policy', policy)).stderr).toContain(
    '--policy FILE and --inbox URL, both',
  )
})

it.each([
  ['a misspelt key', [{ role: ['lead'] }], /0\.role/],
  ['no JSON', '[{', /This is no policy/],
  ['no file', null, /ENOENT/],
])('answer and serve name a policy file that holds %s', async (_, content, message) => {
  const home = await createHome()
  const policy = content === null ? join(await tempDir(), 'none.json') : await fileWith(content)
  for (const command of [['answer', '--decline'], ['serve']]) {
    const { code, stderr } = await home.run(...command, '--policy', policy)
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--policy ${policy}: `)])
    expect(stderr).toMatch(message)
  }
})

it.each([
  ['Ada', false],
  ['ada', false],
  ['Grace', true],
])('serve warns that %s is none of the people whom notices reach: %s', async (name, isWarned) => {
  const home = await createHome()
  const folder = await tempDir()
  const notices = join(folder, 'notices.json')
  const settings = {
    people: { Ada: { addresses: { screen: true } } },
    sinks: { screen: { type: 'desktop' } },
  }
  await writeFile(notices, JSON.stringify(settings))
  const policy = await fileWith([{ votes: 2 }])
  const who = ['--policy', policy, '--notices', notices, '--name', name]
  const server = home.start(['serve', '--workdir', folder, '--port', '0', ...who])
  await vi.waitFor(() => expect(server.stdout()).toContain('Notices are sent as'))
  server.child.kill('SIGTERM')
  const { stderr } = await server.ended
  expect(stderr.includes(`Nobody in ${notices} is called ${name}.`)).toBe(isWarned)
})
