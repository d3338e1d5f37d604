import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseQuestionRecord } from '@sandagent/core/internal'
import { createSoftPasskey } from '@sandagent/fixtures/soft-passkey.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { openPasskeys } from '@sandagent/passkeys'
import { LocalSandbox, listQuestions } from '@sandagent/sdk'
import { expect, it, vi } from 'vitest'
import { createHome, type Home, main } from '../command-process.ts'

it('passkeys env says when nobody has a passkey that the policy demands', async () => {
  const home = await createHome()
  const policy = join(await tempDir(), 'policy.json')
  const env = () => home.run('passkeys', 'env', '--policy', policy, '--inbox', 'http://localhost:7263')
  await writeFile(policy, JSON.stringify([{ for: { tools: ['Bash'] }, passkey: true }, {}]))
  const { code, stdout, stderr } = await env()
  expect([code, stdout]).toEqual([0, expect.stringContaining('export SANDAGENT_PASSKEYS=')])
  expect(stderr).toContain('1 more person must register one for localhost first')
  await writeFile(policy, '[{}]')
  expect((await env()).stderr).toContain('No rule of')
})

/** What a shell prints that evaluates what `passkeys env` prints, and then starts an agent, whatever came of it. */
async function startedAfter(home: Home, ...args: string[]): Promise<string> {
  const words = ['passkeys', 'env', ...args].map((word) => `'${word}'`).join(' ')
  const node = `'${process.execPath}' '${main}'`
  const script = `eval "$(${node} ${words})" && echo evaluated; ${node} run --workdir '${await tempDir()}' --format stream echo began`
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', script], { env: home.env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  return stdout + stderr
}

it.each([
  ['the policy is missing', ['--policy', 'missing.json', '--inbox', 'http://localhost:7263']],
  ['no browser has passkeys there', ['--policy', 'policy.json', '--inbox', 'http://127.0.0.1:7263']],
  ['an option is forgotten', []],
  ['an option is misspelt', ['--polcy', 'policy.json']],
])('a shell that evaluates what passkeys env prints starts no run where %s', async (_, args) => {
  const said = await startedAfter(await createHome(), ...args)
  expect(said).not.toMatch(/evaluated|began/)
  expect(said).toContain('SANDAGENT_PASSKEYS holds no passkeys')
})

it.each([
  [['--policy', 'missing.json', '--inbox', 'http://localhost:7263'], 'missing.json'],
  [['--policy', 'missing.json'], '--policy FILE and --inbox URL'],
  [['--policy', ''], '--policy FILE and --inbox URL'],
  [['--inbox', 'http://localhost:7263'], '--policy FILE and --inbox URL'],
  [['--policy', 'missing.json', '--inbox', 'no address'], '--inbox takes the address'],
])('run starts no agent if it cannot read what it must demand: %j', async (args, why) => {
  const run = ['run', '--workdir', await tempDir(), '--format', 'stream', ...args, 'echo', 'began']
  const { code, stdout, stderr } = await (await createHome()).run(...run)
  expect(code).toBe(2)
  expect(stdout).not.toContain('began')
  expect(stderr).toContain(why)
})

it.each([
  ['as it is', []],
  ['isolated', ['--isolation', 'auto']],
])('run demands the passkeys of a policy: %s', async (_, options) => {
  const [home, workdir] = [await createHome(), await tempDir()]
  const policy = join(await tempDir(), 'policy.json')
  await writeFile(policy, JSON.stringify([{ for: { tools: ['Bash'] }, passkey: true }, {}]))
  const subject = { toolName: 'Bash', input: { command: 'rm -rf /data' } }
  const asking = (id: string) =>
    `console.log(${JSON.stringify(JSON.stringify({ type: 'ask', id, subject }))})`
  const demand = ['--policy', policy, '--inbox=http://localhost:7263']
  // It asks once more when the file is there.
  const more = `if (!fs.existsSync('more')) return; clearInterval(timer); ${asking('b2')}`
  const agent = [
    'node',
    '-e',
    `process.stdin.resume(); ${asking('b1')}; const timer = setInterval(() => { ${more} }, 20)`,
  ]
  const run = home.start([
    'run',
    '--workdir',
    workdir,
    '--format',
    'stream',
    ...options,
    ...demand,
    '--',
    ...agent,
  ])
  const sandbox = new LocalSandbox({ workdir })
  await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
  const questions = join(workdir, '.sandagent/questions')
  // Whoever replaces the file changes nothing for the run.
  await writeFile(policy, '[{}]')
  await writeFile(join(workdir, 'more'), '')
  await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(2))
  for (const name of await readdir(questions)) {
    const record = parseQuestionRecord(await readFile(join(questions, name), 'utf8'))
    expect(record).toMatchObject({ passkeys: { ids: [], votes: 1 }, publicKeyIds: [expect.any(String)] })
  }
  expect(run.stderr()).toContain('1 more person must register one for localhost first')
  run.child.kill('SIGTERM')
  await run.ended
})

it.each(['', ' '])('passkeys add makes no code for nobody: %j', async (name) => {
  const { code, stdout, stderr } = await (await createHome()).run('passkeys', 'add', '--name', name)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('--name takes a name')
})

it('passkeys env says when too few of those who may sign have a passkey', async () => {
  const home = await createHome()
  const site = { rpId: 'localhost', origins: ['http://localhost:7263'] }
  const passkeys = openPasskeys({
    ...site,
    folder: join(home.env.XDG_CONFIG_HOME ?? '', 'sandagent', 'passkeys'),
  })
  const { challenge } = await passkeys.begin('Ada')
  const changes = { rpId: site.rpId, origin: 'http://localhost:7263' }
  const response = createSoftPasskey('Ada').register(challenge, changes)
  const code = await passkeys.newCode('Ada')
  await passkeys.register('Ada', { challenge, code, name: '', response })
  const policy = join(await tempDir(), 'policy.json')
  const said = async (rule: object) => {
    await writeFile(policy, JSON.stringify([{ for: { tools: ['Bash'] }, passkey: true, ...rule }, {}]))
    const { stdout, stderr } = await home.run(
      'passkeys',
      'env',
      '--policy',
      policy,
      '--inbox',
      changes.origin,
    )
    expect(stdout).toContain('export SANDAGENT_PASSKEYS=')
    return stderr
  }
  expect(await said({})).toBe('')
  expect(await said({ votes: 3 })).toContain('2 more people must register one for localhost first')
  expect(await said({ people: ['Bob'] })).toContain('1 more person must register')
})

it.each([
  ['http://127.0.0.1:7263', 'a name such as "localhost"'],
  ['http://inbox.example', 'such as "https://inbox.example"'],
  ['ftp://x', 'a page of x'],
])(
  'passkeys env prints what no runner takes for a page on which browsers have no passkeys: %s',
  async (url, why) => {
    const policy = join(await tempDir(), 'policy.json')
    await writeFile(policy, '[{}]')
    const { code, stdout, stderr } = await (await createHome()).run(
      ...['passkeys', 'env', '--policy', policy, '--inbox', url],
    )
    expect([code, stdout]).toEqual([2, "export SANDAGENT_PUBLIC_KEYS='' SANDAGENT_PASSKEYS=''; false\n"])
    expect(stderr).toContain(`Browsers have no passkeys at ${url}. Give --inbox with`)
    expect(stderr).toContain(why)
  },
)
