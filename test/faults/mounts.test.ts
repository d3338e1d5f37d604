import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { canBeOther, OTHER_USER } from '@sandagent/fixtures/other-user.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { receiptsWritten } from '@sandagent/runner'
import { AskError, LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { answerFile } from '../support/question-files.ts'
import { canMount, smallDisk } from '../support/small-disk.ts'
import { answerOf, asking, type Choice } from './question.ts'

const answeredA = { kind: 'answered', responses: answerOf('A').responses }

/** Answers as a host does that sees the folder there. Resolves to the code of the error, or `stored`. */
async function answer(workdir: string, choice: Choice = 'A'): Promise<string> {
  const sandbox = new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })
  try {
    await submitAnswer(sandbox, answerOf(choice), { signingKeys: null })
    return 'stored'
  } catch (error) {
    if (error instanceof AskError) return error.code
    throw error
  }
}

describe.runIf(canMount)('a disk that becomes read-only', () => {
  it('takes no answer, and takes it once it can be written again', async () => {
    const { folder } = await smallDisk()
    const { outcome } = await asking(folder)
    execFileSync('mount', ['-o', 'remount,ro', folder])
    expect(await answer(folder)).toBe('UNREACHABLE')
    execFileSync('mount', ['-o', 'remount,rw', folder])
    expect(await answer(folder)).toBe('stored')
    expect(await outcome).toMatchObject(answeredA)
    await receiptsWritten()
  })
})

describe.runIf(canMount)('a folder that is mounted twice', () => {
  it('has one final answer, which the runner at the other mount gets', async () => {
    const [runners, hosts] = [await tempDir(), await tempDir()]
    execFileSync('mount', ['--bind', runners, hosts])
    onTestFinished(() => void execFileSync('umount', ['--lazy', hosts]))
    const { outcome } = await asking(runners)
    const told = await Promise.all([answer(hosts, 'A'), answer(runners, 'B')])
    expect(told.toSorted()).toEqual(['CONFLICT', 'stored'])
    const { responses } = answerOf(told[0] === 'stored' ? 'A' : 'B')
    expect(await outcome).toMatchObject({ kind: 'answered', responses })
    expect(await answerFile(hosts, 't1')).toMatchObject({ status: 'completed', responses })
    await receiptsWritten()
  })
})

describe.runIf(canBeOther)('a host that may no longer write among the answers', () => {
  it('acknowledges no answer, and stores it once it may', async () => {
    const workdir = await tempDir()
    const { outcome } = await asking(workdir)
    const approvals = join(workdir, '.sandagent/approvals')
    const uid = Number.parseInt(OTHER_USER, 10)
    const folders = [workdir, join(workdir, '.sandagent'), join(workdir, '.sandagent/questions'), approvals]
    for (const folder of folders) await chown(folder, uid, uid)
    await chown(join(workdir, '.sandagent/questions/t1.json'), uid, uid)
    await chmod(approvals, 0o500)
    const asOther = async (): Promise<string> => {
      process.seteuid?.(uid)
      return answer(workdir).finally(() => process.seteuid?.(0))
    }
    expect(await asOther()).toBe('UNREACHABLE')
    await chmod(approvals, 0o700)
    expect(await asOther()).toBe('stored')
    expect(await outcome).toMatchObject(answeredA)
    await receiptsWritten()
  })
})

describe('the state folder of a question that waits', () => {
  it('may be moved away and back: the answer is refused meanwhile, and delivered then', async () => {
    const workdir = await tempDir()
    const { outcome } = await asking(workdir)
    const [place, away] = [join(workdir, '.sandagent'), join(workdir, 'away')]
    await rename(place, away)
    expect(await answer(workdir)).toBe('UNREACHABLE')
    await rename(away, place)
    expect(await answer(workdir)).toBe('stored')
    expect(await outcome).toMatchObject(answeredA)
    await receiptsWritten()
  })

  it('may lose its folder of answers: the next answer makes it again, and is delivered', async () => {
    const workdir = await tempDir()
    const { outcome } = await asking(workdir)
    const approvals = join(workdir, '.sandagent/approvals')
    await rm(approvals, { recursive: true })
    await mkdir(approvals)
    await rm(approvals, { recursive: true })
    expect(await answer(workdir)).toBe('stored')
    expect(await outcome).toMatchObject(answeredA)
    await receiptsWritten()
  })
})
