import assert from 'node:assert/strict'
import { MAX_FILE_BYTES } from '@sandagent/core/internal'
import type { RunFiles } from '@sandagent/files'
import type { SandboxCase } from './context.ts'

const APPEND = 'require("node:fs").appendFileSync(process.argv[1], process.argv[2])'
/** Writes a file whose bytes repeat after 251, so that a wrong offset shows. */
const MAKE_COUNTED =
  'require("node:fs").writeFileSync(process.argv[1], Buffer.from(Array.from({ length: Number(process.argv[2]) }, (_, n) => n % 251)))'

const counted = (from: number, to: number): Buffer =>
  Buffer.from(new Uint8Array(Math.max(0, to - from)).map((_, n) => (from + n) % 251))

async function piece(files: RunFiles, path: string, offset: number, most?: number): Promise<Buffer> {
  const bytes = await files.readFrom(path, offset, most)
  assert.ok(bytes !== null, `readFrom(${path}, ${offset}) says that the file is missing`)
  return Buffer.from(bytes)
}

export const logCases: readonly SandboxCase[] = [
  {
    name: 'readFrom gives the bytes from any offset on, up to 1 MiB, and none at the end',
    async run({ sandbox: { files }, inside }) {
      const size = MAX_FILE_BYTES + 300
      await inside(MAKE_COUNTED, 'log', String(size))
      for (const offset of [
        0,
        1,
        250,
        MAX_FILE_BYTES - 1,
        MAX_FILE_BYTES,
        size - 1,
        size,
        size + 1,
        2 ** 40,
      ]) {
        const bytes = await piece(files, 'log', offset)
        assert.ok(bytes.length <= MAX_FILE_BYTES, `${bytes.length} bytes at once`)
        assert.ok(offset >= size || bytes.length > 0, `nothing from ${offset} on`)
        assert.ok(
          bytes.equals(counted(offset, Math.min(size, offset + bytes.length))),
          `wrong bytes from ${offset}`,
        )
      }
    },
  },
  {
    name: 'readFrom gives at least one byte when few are asked for, also within a character',
    async run({ sandbox: { files } }) {
      await files.writeAtomic('log', 'a😀b')
      const all = Buffer.from('a😀b')
      for (let offset = 0; offset < all.length; offset++) {
        const bytes = await piece(files, 'log', offset, 1)
        assert.ok(
          bytes.length >= 1 && bytes.equals(all.subarray(offset, offset + bytes.length)),
          `from ${offset}`,
        )
      }
    },
  },
  {
    name: 'readFrom follows a file that grows',
    async run({ sandbox: { files }, inside }) {
      await files.writeAtomic('log', '')
      let read = ''
      for (const line of ['one\n', 'zwei ü\n', 'three\n']) {
        assert.equal((await piece(files, 'log', Buffer.byteLength(read))).length, 0)
        await inside(APPEND, 'log', line)
        read += String(await piece(files, 'log', Buffer.byteLength(read)))
      }
      assert.equal(read, 'one\nzwei ü\nthree\n')
    },
  },
  {
    name: 'stat tells the size in bytes and the time of the last change in milliseconds',
    async run({ sandbox: { files }, inside }) {
      await files.writeAtomic('f', 'üü')
      const first = await files.stat('f')
      assert.equal(first?.size, 4)
      assert.ok((first?.modifiedAt ?? 0) > Date.UTC(2020, 0), 'modifiedAt counts milliseconds since 1970')
      await inside(APPEND, 'f', 'more')
      const second = await files.stat('f')
      assert.equal(second?.size, 8)
      assert.ok((second?.modifiedAt ?? 0) >= (first?.modifiedAt ?? 0), 'modifiedAt never goes back')
    },
  },
]
