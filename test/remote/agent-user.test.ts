import { chmod, chown, lstat, mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { questionRecordPath } from '@sandagent/files'
import { canBeOther, OTHER_USER } from '@sandagent/fixtures/other-user.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { commandSandbox, type RemoteSandbox } from '@sandagent/remote'
import { createSigningKey, parseSigningKeys, readRun } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { answerApi, askingRun, waitingQuestion } from '../support/remote/asking-run.ts'

const UID = Number.parseInt(OTHER_USER, 10)

/** A sandbox on this machine as root finds one where nothing is installed but Node. */
async function sandboxOfOther(parent: string): Promise<RemoteSandbox> {
  const path = [dirname(process.execPath), '/usr/bin', '/bin'].join(':')
  const command = ['env', `HOME=${await tempDir()}`, `PATH=${path}`] as const
  const workdir = join(parent, 'workdir')
  const sandbox = commandSandbox(command, { workdir, isolation: 'none', agentUser: OTHER_USER })
  onTestFinished(() => sandbox.close())
  return sandbox
}

async function openFolder(): Promise<string> {
  const folder = await tempDir()
  await chown(folder, 0, UID)
  await chmod(folder, 0o750)
  return folder
}

/** What an agent tries so that its question is answered by nobody else. Gives what each attempt came to. */
const ATTACK = `
const fs = require('node:fs'), path = require('node:path')
const [, answer] = process.argv
const approvals = '.sandagent/approvals', file = path.join(approvals, answer), here = process.cwd()
const attempts = {
  create: () => fs.writeFileSync(path.join(approvals, 'forged.json'), '{}'),
  claim: () => fs.writeFileSync(path.join(approvals, '.forged.final'), '{}'),
  overwrite: () => fs.writeFileSync(file, '{}'),
  append: () => fs.appendFileSync(file, ' '),
  remove: () => fs.unlinkSync(file),
  rename: () => fs.renameSync(file, path.join(approvals, 'other.json')),
  moveOut: () => fs.renameSync(file, 'stolen.json'),
  moveIn: () => { fs.writeFileSync('mine.json', '{}'); fs.renameSync('mine.json', file) },
  link: () => fs.symlinkSync('/etc/passwd', path.join(approvals, 'link.json')),
  hardLink: () => { fs.writeFileSync('mine.json', '{}'); fs.linkSync('mine.json', path.join(approvals, 'mine.json')) },
  permit: () => fs.chmodSync(approvals, 0o777),
  permitFile: () => fs.chmodSync(file, 0o666),
  own: () => fs.chownSync(approvals, process.getuid(), process.getgid()),
  renameFolder: () => fs.renameSync(approvals, 'approvals-before'),
  removeFolder: () => fs.rmSync(approvals, { recursive: true }),
  addToState: () => fs.mkdirSync('.sandagent/more'),
  renameState: () => fs.renameSync('.sandagent', 'before'),
  replaceState: () => { fs.mkdirSync('new'); fs.renameSync('new', '.sandagent') },
  removeState: () => fs.rmdirSync('.sandagent'),
  permitState: () => fs.chmodSync('.sandagent', 0o777),
  renameWorkdir: () => fs.renameSync(here, here + '-before'),
  removeWorkdir: () => fs.rmdirSync(here),
  permitWorkdir: () => fs.chmodSync(here, 0o777),
  readRuns: () => fs.readdirSync('.sandagent/runs'),
  writeRunner: () => fs.writeFileSync('.sandagent/sandagent.cjs', ''),
  stopRelay: () => process.kill(process.ppid, 'SIGKILL'),
  becomeRoot: () => process.setuid(0),
}
const outcomes = {}
for (const [name, attempt] of Object.entries(attempts))
  try { attempt(); outcomes[name] = 'done' } catch (error) { outcomes[name] = error.code }
fs.writeFileSync('work.txt', 'The workdir is the agent’s')
console.log(JSON.stringify({ outcomes, uid: process.getuid(), groups: process.getgroups(), home: process.env.HOME }))
`

describe.runIf(canBeOther)('a relay of root, with an agent of another user', () => {
  it('gives runs their answers, and keeps the agent from writing any', async () => {
    const folder = await openFolder()
    const sandbox = await sandboxOfOther(folder)
    const workdir = join(folder, 'workdir')
    const signingKeys = await parseSigningKeys(await createSigningKey())
    const run = await askingRun(sandbox, { signingKeys, runner: ['sandagent'] })
    const { toolCallId } = await waitingQuestion(sandbox, signingKeys)
    const { post } = answerApi(sandbox, signingKeys)
    const answers = { 'Which language?': 'Python' }
    expect(await post({ toolCallId, answers, status: 'pending' })).toMatchObject({ success: true })

    const approvals = join(workdir, '.sandagent/approvals')
    const names = await readdir(approvals)
    const file = names.find((name) => name.endsWith('.json')) ?? ''
    const draft = await readFile(join(approvals, file), 'utf8')
    const attacker = await sandbox.spawn('node', ['-e', ATTACK, '--', file])
    attacker.stdin.end()
    const [printed, complaints] = await Promise.all([text(attacker.stdout), text(attacker.stderr)])
    expect(complaints).toBe('')
    const { outcomes, ...facts } = JSON.parse(printed)
    expect(facts).toEqual({ uid: UID, groups: [UID], home: join(workdir, '.sandagent/home') })
    expect(Object.entries(outcomes).filter(([, outcome]) => !/^(EACCES|EPERM)$/.test(`${outcome}`))).toEqual(
      [],
    )
    expect(await readdir(approvals)).toEqual(names)
    expect(await readFile(join(approvals, file), 'utf8')).toBe(draft)
    expect(await sandbox.files.read('work.txt')).toBe('The workdir is the agent’s')

    expect(await post({ toolCallId, answers, status: 'completed' })).toMatchObject({ success: true })
    await vi.waitFor(async () =>
      expect(await readRun(sandbox, run.runId)).toMatchObject({ state: 'finished', exitCode: 0 }),
    )
    const owners = ['questions', 'approvals', 'runs'].map(async (name) =>
      lstat(join(workdir, '.sandagent', name)),
    )
    expect((await Promise.all(owners)).map(({ uid }) => uid)).toEqual([UID, 0, 0])
    const record = JSON.parse((await sandbox.files.read(questionRecordPath(toolCallId))) ?? '')
    expect(record).toMatchObject({ state: 'answered' })
  })

  it('says so', async () => {
    const sandbox = await sandboxOfOther(await openFolder())
    expect(await sandbox.activeIsolation()).toEqual({
      level: 'none',
      agentUser: OTHER_USER,
      reason: expect.stringContaining(`Programs run as the user ${OTHER_USER}, who cannot write answers.`),
    })
  })

  it('gives the agent the files that the host writes in the workdir', async () => {
    const sandbox = await sandboxOfOther(await openFolder())
    await sandbox.files.writeAtomic('a/b/task.txt', 'before')
    const script = 'require("node:fs").appendFileSync("a/b/task.txt", ", after")'
    const child = await sandbox.spawn('node', ['-e', script])
    child.stdout.resume()
    child.stdin.end()
    expect(await text(child.stderr)).toBe('')
    expect(await sandbox.files.read('a/b/task.txt')).toBe('before, after')
  })

  it('refuses a workdir that the agent could replace', async () => {
    const folder = await openFolder()
    await mkdir(join(folder, 'own'))
    await chown(join(folder, 'own'), UID, UID)
    const sandbox = await sandboxOfOther(join(folder, 'own'))
    await expect(sandbox.files.list('.')).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringContaining(`the user ${OTHER_USER} could replace it`),
    })
  })

  it('refuses a state folder that the agent may have filled', async () => {
    const folder = await openFolder()
    const state = join(folder, 'workdir/.sandagent')
    await mkdir(state, { recursive: true })
    await chown(state, UID, UID)
    await expect((await sandboxOfOther(folder)).files.list('.')).rejects.toMatchObject({
      message: expect.stringContaining('it does not belong to root'),
    })
  })
})
