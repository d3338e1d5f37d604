import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../../test/support/attachments/place.ts'
import { giveFile, giveFiles, pathOf, typedPath } from '../../src/terminal/session/give-file.ts'

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
    const stored = async (): Promise<string[]> =>
      (await readdir(join(sandbox.workdir, '.sandagent/attachments'))).filter((name) => !name.includes('~'))
    const { workdir } = sandbox
    return {
      at,
      stored,
      workdir,
      give: (path: string) => giveFile(sandbox, { toolCallId: 'c', question }, path),
      giveAll: (paths: string[]) => giveFiles(sandbox, { toolCallId: 'c', question }, paths),
    }
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
    await expect(give(at('large.pdf'))).rejects.toThrow('expected a file of at most 0.01 kB')
    await expect(give(at('a.txt'))).rejects.toMatchObject({ code: 'INVALID_ANSWERS' })
  })

  it('that cannot be read to its end says so, and what to do', async () => {
    const { give } = await place()
    // Its first bytes are no memory, so reading them fails.
    await expect(give('/proc/self/mem')).rejects.toThrow('/proc/self/mem cannot be read (EIO). Copy it')
  })

  it('may have as many bytes as the question takes, and not one more', async () => {
    const { at, give, stored } = await place({ maxBytes: 262_145 })
    await writeFile(at('full'), Buffer.alloc(262_145))
    await writeFile(at('over'), Buffer.alloc(262_146))
    expect(await give(at('full'))).toMatchObject({ size: 262_145 })
    await expect(give(at('over'))).rejects.toMatchObject({ code: 'TOO_LARGE' })
    expect(await stored()).toHaveLength(1)
  })

  it('that is named twice is given once, under its first name', async () => {
    const { at, giveAll } = await place({ max: 1 })
    await writeFile(at('a.pdf'), PDF)
    await symlink(at('a.pdf'), at('b.pdf'))
    expect(await giveAll([at('a.pdf'), at('a.pdf')])).toMatchObject([{ name: 'a.pdf' }])
    await expect(giveAll([at('a.pdf'), at('b.pdf')])).rejects.toThrow('takes one file, not 2')
  })

  it('under two names is stored once, and both names count', async () => {
    const { at, give, stored } = await place()
    await writeFile(at('a.pdf'), PDF)
    await symlink(at('a.pdf'), at('b.pdf'))
    const [first, second] = [await give(at('a.pdf')), await give(at('b.pdf'))]
    expect([first.name, second.name]).toEqual(['a.pdf', 'b.pdf'])
    expect(second.sha256).toBe(first.sha256)
    expect(await stored()).toHaveLength(1)
  })

  it('that is written while it is read has the digest of what is stored, and ends at the limit', async () => {
    const { at, give, workdir } = await place({ maxBytes: 2_000_000 })
    await writeFile(at('log'), Buffer.alloc(1_000_000, 1))
    let isRead = false
    const writing = (async () => {
      while (!isRead) await appendFile(at('log'), Buffer.alloc(1000, 2))
    })()
    const given = await give(at('log')).catch((error: { code: string }) => error)
    isRead = true
    await writing
    if ('code' in given) return expect(given.code).toBe('TOO_LARGE')
    const bytes = await readFile(join(workdir, '.sandagent/attachments', given.sha256))
    expect([bytes.length, sha256(bytes)]).toEqual([given.size, given.sha256])
  })

  it('that an agent links to from its folder is not given by the name there', async () => {
    const { at, give, workdir, stored } = await place()
    await writeFile(at('secret'), 'a key')
    await symlink(at('secret'), join(workdir, 'report.txt'))
    await symlink(at('.'), join(workdir, 'out'))
    for (const name of ['report.txt', 'out/secret'])
      await expect(give(join(workdir, name))).rejects.toThrow(
        `leads out of the folder of the agent. To give ${at('secret')}, name it`,
      )
    await expect(stored()).rejects.toMatchObject({ code: 'ENOENT' })
    await writeFile(join(workdir, 'own'), 'mine')
    await symlink('own', join(workdir, 'link'))
    expect(await give(join(workdir, 'link'))).toMatchObject({ name: 'link', size: 4 })
  })
})
