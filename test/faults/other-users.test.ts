import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canBeOther } from '@sandagent/fixtures/other-user.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post } from '../support/servers/serve.ts'
import { bundledProgram } from './bundled-program.ts'
import { answerOf, asked } from './question.ts'
import { type Part, startPart } from './start-part.ts'

const answeredA = { kind: 'answered', responses: answerOf('A').responses }

/** Users of this machine, as numbers: nobody needs to be listed under them. The group of a user has the same number. */
const [ROOT, ANN, BOB] = [0, 64_001, 64_002]

let folder: string
let program: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandagent-test-'))
  await chmod(folder, 0o755)
  program = await bundledProgram('part.mjs', folder)
})
afterAll(() => rm(folder, { recursive: true }))

/** A workdir of a user. */
async function workdirOf(user: number, mode = 0o755): Promise<string> {
  const workdir = await tempDir()
  await chown(workdir, user, user)
  await chmod(workdir, mode)
  return workdir
}

/** A runner of this user, whose question waits. */
async function askingAs(user: number, workdir: string): Promise<Part> {
  const runner = startPart(program, 'runner', workdir, { request: asked }, user)
  await runner.says('asked')
  return runner
}

/** The reply of a host of this user to an answer. */
async function answeredAs(user: number, workdir: string, answer: object = answerOf('A')) {
  const url = await startPart(program, 'host', workdir, {}, user).says<string>('url')
  const reply = await post(url, answer)
  return { status: reply.status, body: await reply.json() }
}

const approvals = (workdir: string, name = ''): string => join(workdir, '.sandagent/approvals', name)

const ownerAndMode = async (path: string): Promise<string> => {
  const { uid, gid, mode } = await stat(path)
  return `${uid}:${gid} ${(mode & 0o777).toString(8)}`
}

describe.runIf(canBeOther)('an answer that a host of another user stores', () => {
  it('reaches the agent, who can read it and not write it, if the host is root', async () => {
    const workdir = await workdirOf(ANN)
    const runner = await askingAs(ANN, workdir)
    const draft = { ...answerOf('B'), status: 'pending' }
    expect(await answeredAs(ROOT, workdir, draft)).toMatchObject({ status: 200 })
    expect(await ownerAndMode(approvals(workdir, 't1.json'))).toBe(`0:${ANN} 640`)
    expect(await answeredAs(ROOT, workdir)).toMatchObject({ status: 200 })
    expect(await runner.says('outcome')).toMatchObject(answeredA)
    expect(await ownerAndMode(approvals(workdir, 't1.json'))).toBe(`0:${ANN} 440`)
    expect(await ownerAndMode(approvals(workdir, '.t1.final'))).toBe(`0:${ANN} 440`)
  })

  it('reaches the agent although only root could enter the folder of answers', async () => {
    const workdir = await workdirOf(ANN)
    const runner = await askingAs(ANN, workdir)
    await rm(approvals(workdir), { recursive: true })
    await mkdir(approvals(workdir), { mode: 0o700 })
    expect(await answeredAs(ROOT, workdir)).toMatchObject({ status: 200 })
    expect(await runner.says('outcome')).toMatchObject(answeredA)
    expect(await ownerAndMode(approvals(workdir))).toBe(`0:${ANN} 750`)
  })

  it('reaches an agent that records no questions', async () => {
    const workdir = await workdirOf(ANN)
    await mkdir(approvals(workdir), { recursive: true })
    const questions = [{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }]
    const pending = { questions, answers: {}, status: 'pending', timestamp: new Date().toISOString() }
    await writeFile(approvals(workdir, 't1.json'), JSON.stringify(pending), { mode: 0o600 })
    for (const path of ['.sandagent', '.sandagent/approvals', '.sandagent/approvals/t1.json'])
      await chown(join(workdir, path), ANN, ANN)
    const people = startPart(program, 'people', workdir, {
      answers: [{ toolCallId: 't1', answers: { 'Which?': 'A' }, status: 'completed' }],
    })
    expect(await people.says('codes')).toEqual(['stored'])
    expect(await ownerAndMode(approvals(workdir, 't1.json'))).toBe(`0:${ANN} 440`)
  })

  it('is refused with WRONG_USER, and nothing is stored, if its agent could not read it', async () => {
    const workdir = await workdirOf(ANN)
    await askingAs(ANN, workdir)
    for (const path of ['.sandagent', '.sandagent/questions', '.sandagent/approvals'])
      await chmod(join(workdir, path), 0o777)
    await chmod(join(workdir, '.sandagent/questions/t1.json'), 0o644)
    expect(await answeredAs(BOB, workdir)).toMatchObject({
      status: 503,
      body: { error: { code: 'WRONG_USER', message: expect.stringContaining('Run both as one user') } },
    })
    await expect(readFile(approvals(workdir, 't1.json'))).rejects.toThrow('ENOENT')
    await expect(readFile(approvals(workdir, '.t1.final'))).rejects.toThrow('ENOENT')
  })

  it('is refused by a host that may not read the question, and the reply says why', async () => {
    const workdir = await workdirOf(ANN, 0o777)
    await askingAs(ANN, workdir)
    expect(await answeredAs(BOB, workdir)).toMatchObject({
      status: 503,
      body: { error: { code: 'UNREACHABLE', message: expect.stringContaining('as one user') } },
    })
  })
})

describe.runIf(canBeOther)('a question of root, as of a program in a container', () => {
  it('can be read and answered by the user of the workdir', async () => {
    const workdir = await workdirOf(ANN)
    const runner = await askingAs(ROOT, workdir)
    expect(await answeredAs(ANN, workdir)).toMatchObject({ status: 200 })
    expect(await runner.says('outcome')).toMatchObject(answeredA)
    for (const path of ['.sandagent', '.sandagent/questions', '.sandagent/approvals'])
      expect(await ownerAndMode(join(workdir, path))).toBe(`${ANN}:${ANN} 700`)
  })

  it('can be read and answered by the user of the state folder, whoever owns the workdir', async () => {
    const workdir = await workdirOf(BOB)
    await mkdir(join(workdir, '.sandagent'), { mode: 0o700 })
    await chown(join(workdir, '.sandagent'), ANN, ANN)
    const runner = await askingAs(ROOT, workdir)
    expect(await answeredAs(ANN, workdir)).toMatchObject({ status: 200 })
    expect(await runner.says('outcome')).toMatchObject(answeredA)
  })

  it('stays with root in a workdir of root', async () => {
    const workdir = await workdirOf(ROOT)
    const runner = await askingAs(ROOT, workdir)
    expect(await answeredAs(ROOT, workdir)).toMatchObject({ status: 200 })
    expect(await runner.says('outcome')).toMatchObject(answeredA)
    expect(await ownerAndMode(approvals(workdir, 't1.json'))).toBe('0:0 400')
  })
})
