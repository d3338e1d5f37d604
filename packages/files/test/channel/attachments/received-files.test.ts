import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  AskError,
  type FileLoss,
  type FilePiece,
  type FilePlace,
  type RunnerChannel,
} from '@sandagent/core/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { fileAtOf } from '../../../src/channel/attachments/received-files.ts'

const BYTES = Buffer.from('the bytes of a person')
const sha256 = createHash('sha256').update(BYTES).digest('hex')
const FILE = { name: 'notes.txt', mediaType: 'text/plain', size: BYTES.length, sha256 }

type ReadFile = NonNullable<RunnerChannel['readFile']>

const giving =
  (bytes: Uint8Array, size = bytes.length): ReadFile =>
  async (_toolCallId, _name, offset) => ({ size, bytes: bytes.subarray(offset) })

const pathOf = (found: FilePlace | undefined): string => (found && 'path' in found ? found.path : '')

async function place(readFile: ReadFile) {
  const workdir = await tempDir()
  const fileAt = fileAtOf({ readFile }, { workdir })
  const folder = join(workdir, '.sandagent/attachments')
  return {
    workdir,
    folder,
    names: async () =>
      existsSync(folder) ? (await readdir(folder)).filter((name) => !name.includes('~')) : [],
    fileAt: async (file = FILE, signal?: AbortSignal) => fileAt?.(file, 'c1', signal),
  }
}

describe('a file from elsewhere', () => {
  it('comes to the folder of a workdir once, piece by piece', async () => {
    const asked: unknown[] = []
    const { folder, fileAt, names } = await place(async (toolCallId, name, offset) => {
      asked.push([toolCallId, name, offset])
      return { size: BYTES.length, bytes: BYTES.subarray(offset, offset + 10) }
    })
    const path = join(folder, sha256)
    expect([await fileAt(), await fileAt()]).toEqual([{ path }, { path }])
    expect(await readFile(path)).toEqual(BYTES)
    expect(asked).toEqual([0, 10, 20].map((offset) => ['c1', sha256, offset]))
    expect(await names()).toEqual([sha256])
  })

  it.each<[string, FileLoss, ReadFile]>([
    ['is gone', 'gone', async () => null],
    ['is refused', 'unreachable', () => Promise.reject(new AskError('FORBIDDEN', 'no'))],
    ['has other bytes', 'changed', giving(Buffer.alloc(BYTES.length, 1))],
    ['has too few bytes', 'changed', giving(BYTES.subarray(1), BYTES.length)],
    ['has too many bytes', 'changed', giving(Buffer.concat([BYTES, BYTES]), BYTES.length)],
    ['never ends', 'changed', async () => ({ size: 1, bytes: Buffer.alloc(10) })],
    [
      'begins again at each piece',
      'changed',
      async () => ({ size: BYTES.length, bytes: BYTES.subarray(0, 5) }),
    ],
  ])('that %s has no path, but a reason: %s. It leaves nothing behind', async (_, missing, readFile) => {
    const { fileAt, names } = await place(readFile)
    expect(await fileAt()).toEqual({ missing })
    expect(await names()).toEqual([])
  })

  it.each(['../../outside', '..', '/etc/passwd', `${sha256}/../x`])(
    'whose digest is %j reaches no other path',
    async (digest) => {
      const { fileAt, workdir } = await place(() => Promise.reject(new Error('It was asked for')))
      expect(await fileAt({ ...FILE, sha256: digest })).toEqual({ missing: 'gone' })
      expect(await readdir(workdir)).toEqual([])
    },
  )

  it('is asked for again while its store is out of reach', async () => {
    let failures = 2
    const { fileAt, folder } = await place(async (...of): Promise<FilePiece | null> => {
      if (failures-- > 0) throw new AskError('UNREACHABLE', 'later')
      return giving(BYTES)(...of)
    })
    expect(await fileAt()).toEqual({ path: join(folder, sha256) })
  })

  it.each<[string, ReadFile]>([
    ['is out of reach', () => Promise.reject(new AskError('UNREACHABLE', 'later'))],
    ['says nothing', () => new Promise(() => {})],
  ])('whose store %s is waited for until the signal aborts', async (_, readFile) => {
    const stop = new AbortController()
    let asked = (): void => {}
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const { fileAt, names } = await place((...of) => {
      asked()
      return readFile(...of)
    })
    const found = fileAt(FILE, stop.signal)
    await isAsked
    stop.abort()
    expect(await found).toEqual({ missing: 'unreachable' })
    expect(await names()).toEqual([])
  })

  it('that is here already is found after an abort, and no other one is asked for', async () => {
    let reads = 0
    const { fileAt, folder } = await place((...of) => {
      reads++
      return giving(BYTES)(...of)
    })
    await fileAt()
    expect(await fileAt(FILE, AbortSignal.abort())).toEqual({ path: join(folder, sha256) })
    const other = { ...FILE, sha256: sha256.replace(/./, (digit) => (digit === '0' ? '1' : '0')) }
    expect(await fileAt(other, AbortSignal.abort())).toEqual({ missing: 'unreachable' })
    expect(reads).toBe(1)
  })

  it('is not taken for one that an agent has changed: it comes once more', async () => {
    const { fileAt } = await place(giving(BYTES))
    const found = await fileAt()
    const path = pathOf(found)
    await writeFile(path, Buffer.alloc(BYTES.length))
    expect(await fileAt()).toEqual(found)
    expect(await readFile(path)).toEqual(BYTES)
  })

  it('is not written through a link, but into a folder of this process', async () => {
    const { fileAt, folder, workdir } = await place(giving(BYTES))
    const elsewhere = await tempDir()
    await mkdir(join(workdir, '.sandagent'))
    await symlink(elsewhere, folder)
    const path = pathOf(await fileAt())
    expect(await readdir(elsewhere)).toEqual([])
    expect(path).toMatch(/sandagent-files-/)
    expect(await readFile(path)).toEqual(BYTES)
  })

  it('needs no folder: by default it ends with the process', async () => {
    const fileAt = fileAtOf({ readFile: giving(BYTES) })
    const other = { ...FILE, name: 'b.txt' }
    const [one, two] = [await fileAt?.(FILE, 'c1'), await fileAt?.(other, 'c2')]
    expect([one, two]).toEqual([two, { path: expect.stringContaining('sandagent-files-') }])
  })
})
