import { execFileSync } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'
import { describe, expect, it } from 'vitest'
import { giveFile, pathOf, typedPath } from '../../src/terminal/session/give-file.ts'

const PDF = Buffer.from('%PDF-1.7')

describe('a path', () => {
  it.each([
    ['/a/my shot.png', '/a/my shot.png'],
    [' /a/my\\ shot\\(1\\).png ', '/a/my shot(1).png'],
    ["'/a/my shot.png'", '/a/my shot.png'],
    ['"/a/my shot.png"', '/a/my shot.png'],
    ['~/shot.png', join(homedir(), 'shot.png')],
    ['"~/my shot.png"', join(homedir(), 'my shot.png')],
    ['~', homedir()],
    ['~ada/shot.png', join(process.cwd(), '~ada/shot.png')],
    ['shot.png', join(process.cwd(), 'shot.png')],
    ["it's.png", join(process.cwd(), "it's.png")],
  ])('typed as %s is %s', (typed, path) => {
    expect(typedPath(typed, false)).toBe(path)
  })

  it('of a command line keeps its backslashes and quotes', () => {
    expect(pathOf('/a/"b\\ c"')).toBe('/a/"b\\ c"')
  })
})

describe('a file of this machine', () => {
  const place = async (files: object = {}) => {
    const sandbox = new LocalSandbox({ workdir: await tempDir() })
    const question = { id: 'q', question: 'What?', files }
    const folder = await tempDir()
    const at = (name: string): string => join(folder, name)
    const stored = (): Promise<string[]> => readdir(join(sandbox.workdir, '.sandagent/attachments'))
    return { at, stored, give: (path: string) => giveFile(sandbox, { toolCallId: 'c', question }, path) }
  }

  it('is stored, with a type by its bytes or by its ending', async () => {
    const { at, give, stored } = await place()
    await writeFile(at('my report.txt'), PDF)
    await writeFile(at('table.CSV'), 'a,b')
    await writeFile(at('empty'), '')
    expect(await give(at('my report.txt'))).toMatchObject({
      name: 'my report.txt',
      mediaType: 'application/pdf',
      size: 8,
    })
    expect(await give(at('table.CSV'))).toMatchObject({ name: 'table.CSV', mediaType: 'text/csv' })
    expect(await give(at('empty'))).toMatchObject({ mediaType: 'application/octet-stream', size: 0 })
    expect(await stored()).toHaveLength(3)
  })

  it('that is missing, a folder, a pipe, too large or of another type is refused, and the message says what to do', async () => {
    const { at, give } = await place({ maxBytes: 10, types: ['application/pdf'] })
    await mkdir(at('folder'))
    execFileSync('mkfifo', [at('pipe')])
    await writeFile(at('large.pdf'), Buffer.concat([PDF, PDF]))
    await writeFile(at('a.txt'), 'a')
    await expect(give(at('missing'))).rejects.toThrow(`There is no file ${at('missing')}. Correct its path`)
    await expect(give(at('a.txt/b'))).rejects.toThrow('There is no file')
    await expect(give(at('folder'))).rejects.toThrow('is a folder. Give a file of it')
    await expect(give(at('pipe'))).rejects.toThrow('is a device or a pipe')
    await expect(give('/dev/zero')).rejects.toThrow('is a device or a pipe')
    await expect(give(at('large.pdf'))).rejects.toThrow('A file for this question may have 10 bytes')
    await expect(give(at('a.txt'))).rejects.toMatchObject({ code: 'INVALID_ANSWERS' })
  })
})
