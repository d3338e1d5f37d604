import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { isWithin, type Reach, reachesOf, reachText } from '../../src/reach/reach.ts'

const edit = (hostFolder: string, file_path: string, more: object = {}) => ({
  toolName: 'Edit',
  input: { file_path, old_string: 'a', new_string: 'b', ...more },
  hostFolder,
})

describe('edits below a folder', () => {
  it('are covered with a plain path below it, relative or not', async () => {
    const workdir = await tempDir()
    const [, below] = reachesOf(edit(workdir, join(workdir, 'src/app/main.ts'))) as [Reach, Reach]
    expect(reachText(below)).toBe('Every `Edit` of a file below `src/app/`')
    const covers = (path: string, more?: object) => isWithin(below, edit(workdir, path, more))
    for (const path of [join(workdir, 'src/app/b.ts'), 'src/app/c/d.ts'])
      expect(covers(path), path).toEqual({ isCovered: true })
    for (const path of ['src/apple/b.ts', 'src/b.ts', 'b.ts'])
      expect(covers(path), path).toEqual({ isCovered: false })
    for (const path of [
      'src/app/../../x.ts',
      join(workdir, 'src/app/../../x.ts'),
      `${workdir}/src/app/../x.ts`,
      'src/app/./x.ts',
      'src//app/x.ts',
      'src/app/.env',
      'src/app/.git/hooks/x',
      '/etc/passwd',
      `${workdir}//src/app/x.ts`,
      'src/app/\u202etxt',
      'src/app/x\n.ts',
      'src/app/ x.ts',
      '~/x',
      'src\\app\\x.ts',
      '',
    ])
      expect(covers(path).isCovered, JSON.stringify(path)).toBe(false)
    expect(covers('src/app/a.ts', { target: '/etc/passwd' })).toEqual({
      isCovered: false,
      why: 'nobody can tell which file it writes',
    })
  })

  it('are not covered where a link leads to the file', async () => {
    const [workdir, elsewhere] = [await tempDir(), await tempDir()]
    await mkdir(join(workdir, 'src'))
    const [, below] = reachesOf(edit(workdir, 'src/a.ts')) as [Reach, Reach]
    await symlink(elsewhere, join(workdir, 'src/out'))
    await writeFile(join(elsewhere, 'x.ts'), '')
    await symlink(join(elsewhere, 'x.ts'), join(workdir, 'src/x.ts'))
    for (const path of ['src/out/x.ts', 'src/out/new.ts', 'src/x.ts'])
      expect(isWithin(below, edit(workdir, path))).toEqual({
        isCovered: false,
        why: 'a link leads to its file',
      })
  })

  it('are not offered for a workdir elsewhere: nobody sees its links from here', () => {
    const call = { toolName: 'Edit', input: { file_path: 'a.ts', old_string: 'a', new_string: 'b' } }
    expect(reachesOf({ ...call, hostFolder: undefined }).map(({ kind }) => kind)).toEqual(['call'])
  })
})
