import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canBeOther } from '@sandagent/fixtures/other-user.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { giveWorkdir, ownersIn } from '../../../src/sandbox/agent-user/give-workdir.ts'

const user = { name: 'agent', uid: 1234, gid: 1235 }

/** A folder above a workdir, with an owner and a mode. */
async function folder(mode: number, { uid = 0, gid = 0 } = {}): Promise<string> {
  const path = await tempDir()
  chownSync(path, uid, gid)
  chmodSync(path, mode)
  return path
}

/** A workdir in a folder that the user can enter. */
async function workdirIn(parent: string | Promise<string> = folder(0o755)): Promise<string> {
  const workdir = join(await parent, 'workdir')
  mkdirSync(workdir)
  return workdir
}

describe.runIf(canBeOther)('a workdir for another user', () => {
  it.each<[string, number, { uid?: number; gid?: number }]>([
    ['belongs to the user', 0o755, { uid: 1234 }],
    ['belongs to the user and is closed', 0o500, { uid: 1234 }],
    ['everybody may write to', 0o777, {}],
    ['the group of the user may write to', 0o775, { gid: 1235 }],
  ])('is refused below a folder that %s', async (_, mode, owner) => {
    const parent = await folder(mode, owner)
    const workdir = await workdirIn(parent)
    expect(() => giveWorkdir(workdir, user, {})).toThrow(
      expect.objectContaining({
        code: 'UNSAFE_PATH',
        message: `The folder ${workdir} cannot be used with another user: the user agent could replace it`,
        facts: { path: workdir },
      }),
    )
    const middle = join(parent, 'middle')
    mkdirSync(middle)
    const below = await workdirIn(middle)
    expect(() => giveWorkdir(below, user, {})).toThrow(expect.objectContaining({ facts: { path: middle } }))
  })

  it.each<[string, number, { gid?: number }]>([
    ['nobody else may enter', 0o700, {}],
    ['only another group may enter', 0o710, {}],
    ['all but the group of the user may enter', 0o705, { gid: 1235 }],
  ])('is refused below a folder that %s', async (_, mode, owner) => {
    const parent = await folder(mode, owner)
    const workdir = await workdirIn(parent)
    expect(() => giveWorkdir(workdir, user, {})).toThrow(
      expect.objectContaining({
        code: 'UNSAFE_PATH',
        message: expect.stringContaining('the user agent cannot enter it'),
        facts: { path: parent },
      }),
    )
  })

  it.each<[string, number, { gid?: number }]>([
    ['everybody may write to, and only owners may rename', 0o1777, {}],
    ['another group may write to', 0o775, {}],
    ['the group of the user may enter', 0o710, { gid: 1235 }],
  ])('is given below a folder that %s', async (_, mode, owner) => {
    const workdir = await workdirIn(folder(mode, owner))
    giveWorkdir(workdir, user, {})
    expect(statSync(workdir)).toMatchObject({ uid: 0, gid: 1235 })
  })

  it('gives private folders for questions and for the home to the user', async () => {
    const workdir = await workdirIn()
    giveWorkdir(workdir, user, { stateFolder: '.state' })
    for (const name of ['questions', 'home']) {
      const { uid, gid, mode } = statSync(join(workdir, '.state', name))
      expect([uid, gid, mode & 0o7777]).toEqual([1234, 1235, 0o700])
    }
  })

  it('can be given again', async () => {
    const workdir = await workdirIn()
    giveWorkdir(workdir, user, {})
    chmodSync(join(workdir, '.sandagent/approvals'), 0o777)
    giveWorkdir(workdir, user, {})
    expect(statSync(join(workdir, '.sandagent/approvals')).mode & 0o7777).toBe(0o750)
  })

  it.each(['.sandagent', '.sandagent/approvals', '.sandagent/runs'])(
    'is refused where the user may have made %s',
    async (name) => {
      const workdir = await workdirIn()
      giveWorkdir(workdir, user, {})
      chownSync(join(workdir, name), 1234, 0)
      expect(() => giveWorkdir(workdir, user, {})).toThrow(
        expect.objectContaining({
          code: 'UNSAFE_PATH',
          message: expect.stringContaining('it does not belong to root. Remove .sandagent'),
          facts: { path: join(workdir, name) },
        }),
      )
    },
  )

  it.each(['.sandagent', '.sandagent/runs', '.sandagent/questions'])(
    'is refused where %s is a link or a file',
    async (name) => {
      for (const make of [
        (path: string) => symlinkSync('/', path),
        (path: string) => writeFileSync(path, ''),
      ]) {
        const workdir = await workdirIn()
        if (name !== '.sandagent') mkdirSync(join(workdir, '.sandagent'))
        make(join(workdir, name))
        expect(() => giveWorkdir(workdir, user, {})).toThrow(
          expect.objectContaining({
            message: expect.stringContaining('it is a link or no folder'),
            facts: { path: join(workdir, name) },
          }),
        )
      }
    },
  )

  it('is refused with the reason of the system', async () => {
    const workdir = join(await folder(0o755), 'missing')
    expect(() => giveWorkdir(workdir, user, {})).toThrow(
      expect.objectContaining({
        code: 'ISOLATION_UNAVAILABLE',
        message: expect.stringMatching(/^Root cannot give files to another user here: ENOENT/),
        cause: expect.objectContaining({ code: 'ENOENT' }),
      }),
    )
  })

  it('fails as the system does when its own folders cannot be made', async () => {
    let workdir = await workdirIn()
    // Linux takes paths of up to 4095 bytes.
    while (workdir.length < 4085) workdir = join(workdir, 'x'.repeat(Math.min(200, 4089 - workdir.length)))
    mkdirSync(workdir, { recursive: true })
    expect(() => giveWorkdir(workdir, user, {})).toThrow(
      expect.objectContaining({ code: 'ENAMETOOLONG', syscall: 'mkdir' }),
    )
  })
})

describe('what is written in the workdir of another user', () => {
  const agent = { uid: 1234, gid: 1235 }
  const shared = { uid: 0, gid: 1235, isShared: true }

  it.each([
    ['src/main.ts', agent],
    ['.state-of-mine', agent],
    ['.state/questions', agent],
    ['.state/questions/c.json', agent],
    ['.state/home/.npmrc', agent],
    ['.state', shared],
    ['.state/approvals/c.json', shared],
    ['.state/questions.json', shared],
    ['.state/runs', undefined],
    ['.state/runs/r/run.json', undefined],
  ])('as %s belongs to the right one', (path, owner) => {
    expect(ownersIn(user, { stateFolder: '.state' })(path)).toEqual(owner)
  })
})
