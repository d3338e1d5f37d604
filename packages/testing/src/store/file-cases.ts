import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { AskError, bytesOf, FILE_ROOM, PIECE_BYTES } from '@sandagent/core/internal'
import type { QuestionStore, StoredFiles } from '@sandagent/core/store'
import type { StoreCase, StoreHalves } from './context.ts'
import { openRecord, receiptOf } from './records.ts'

/** A file of some pieces, of which the last one is short. */
const BYTES = Uint8Array.from(
  { length: 2 * PIECE_BYTES + 1000 },
  (_, index) => (index * 7 + (index >> 10)) % 256,
)
const nameOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

const filesOf = ({ host }: Pick<StoreHalves, 'host'>): StoredFiles => {
  const { writeFile, readFile } = host()
  return writeFile && readFile ? { writeFile, readFile } : assert.fail('This store takes no files')
}

const write = (
  halves: StoreHalves,
  toolCallId: string,
  bytes: Uint8Array,
  { room = FILE_ROOM, pieces = inPieces(bytes) } = {},
): Promise<void> => filesOf(halves).writeFile(toolCallId, pieces, () => nameOf(bytes), room)

/** Different files of one length. */
const distinct = (count: number, length: number): Uint8Array[] =>
  Array.from({ length: count }, (_, index) => new Uint8Array(length).fill(index))

/**
 * Writes files at the same time: the bytes of each come once every writer waits for its bytes.
 *
 * @returns which of them are stored
 */
async function writeTogether(
  halves: StoreHalves,
  files: readonly Uint8Array[],
  room: typeof FILE_ROOM,
): Promise<boolean[]> {
  let late = files.length
  let start = (): void => {}
  const started = new Promise<void>((resolve) => {
    start = resolve
  })
  const note = (): void => {
    late -= 1
    if (late === 0) start()
  }
  return Promise.all(
    files.map(async (bytes) => {
      let isLate = true
      const noteOnce = (): void => {
        if (isLate) note()
        isLate = false
      }
      async function* pieces(): AsyncGenerator<Uint8Array> {
        noteOnce()
        await started
        yield* inPieces(bytes)
      }
      return write(halves, 't1', bytes, { room, pieces: pieces() }).then(
        () => true,
        (error: unknown) => {
          noteOnce()
          assert.ok(error instanceof AskError && error.code === 'TOO_LARGE', String(error))
          return false
        },
      )
    }),
  )
}

/** The whole file, read piece by piece; `null` if it is not there. */
async function readAll(
  { readFile }: Pick<QuestionStore, 'readFile'>,
  toolCallId: string,
  name: string,
): Promise<Buffer | null> {
  const found = await readFile?.(toolCallId, name, 0)
  if (!found) return null
  const pieces: Uint8Array[] = []
  for await (const piece of bytesOf(
    found.size,
    async (at) => (await readFile?.(toolCallId, name, at)) ?? null,
  ))
    pieces.push(piece)
  return Buffer.concat(pieces)
}

/** How many files the namespace of a case has room for. */
const MOST = 3

const roomCase = (
  what: string,
  { files, room }: { files: readonly Uint8Array[]; room: typeof FILE_ROOM },
): StoreCase => ({
  name: `a namespace never has more ${what} than it has room for, also when several hosts write at once`,
  needs: 'beside',
  async run({ runner, halves }) {
    await runner().open(openRecord('t1'))
    const isStored = await writeTogether(halves, files, room)
    // What was refused takes no room: the rest comes one after the other.
    for (const [index, bytes] of files.entries())
      isStored[index] ||= await write(halves, 't1', bytes, { room }).then(
        () => true,
        () => false,
      )
    assert.equal(isStored.filter(Boolean).length, MOST)
    for (const [index, bytes] of files.entries()) {
      const read = await readAll(filesOf(halves), 't1', nameOf(bytes))
      assert.equal(read !== null, isStored[index], 'a file is there that was refused, or one is gone')
    }
  },
})

export const fileCases: readonly StoreCase[] = [
  {
    name: 'a file is read by other hosts, whole and from each of its bytes on',
    needs: 'beside',
    async run({ runner, halves }) {
      await runner().open(openRecord('t1'))
      for (const bytes of [BYTES, new Uint8Array(), BYTES.slice(0, 10)]) {
        await write(halves, 't1', bytes)
        assert.ok(
          (await readAll(filesOf(halves), 't1', nameOf(bytes)))?.equals(bytes),
          'other bytes came back',
        )
      }
      const { readFile } = filesOf(halves)
      for (const at of [1, PIECE_BYTES - 1, PIECE_BYTES, 2 * PIECE_BYTES + 999]) {
        const piece = await readFile('t1', nameOf(BYTES), at)
        assert.equal(piece?.size, BYTES.length)
        assert.ok(piece.bytes.length > 0, 'a piece is empty before the end')
        assert.deepEqual(Buffer.from(piece.bytes), Buffer.from(BYTES.slice(at, at + piece.bytes.length)))
      }
      const end = await readFile('t1', nameOf(BYTES), BYTES.length)
      assert.deepEqual([end?.size, end?.bytes.length], [BYTES.length, 0])
    },
  },
  {
    name: 'a file that several hosts store at once is there, whole',
    needs: 'beside',
    async run({ runner, halves }) {
      await runner().open(openRecord('t1'))
      await Promise.all(Array.from({ length: 4 }, () => write(halves, 't1', BYTES)))
      await write(halves, 't1', BYTES)
      const read = await readAll(filesOf(halves), 't1', nameOf(BYTES))
      assert.equal(read && nameOf(read), nameOf(BYTES))
    },
  },
  {
    name: 'of a file that breaks off, or that is refused after its last byte, nothing is there',
    needs: 'beside',
    async run({ runner, halves }) {
      await runner().open(openRecord('t1'))
      const refusal = new Error('refused')
      const refuse = (): never => {
        throw refusal
      }
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield BYTES.slice(0, PIECE_BYTES)
        refuse()
      }
      const { writeFile } = filesOf(halves)
      const name = nameOf(BYTES)
      await assert.rejects(
        writeFile('t1', broken(), () => name, FILE_ROOM),
        refusal,
      )
      await assert.rejects(writeFile('t1', inPieces(BYTES), refuse, FILE_ROOM), refusal)
      assert.equal(await filesOf(halves).readFile('t1', name, 0), null)
      await write(halves, 't1', BYTES)
      assert.ok(await filesOf(halves).readFile('t1', name, 0), 'a file that was refused before is not taken')
    },
  },
  {
    name: 'a file is in its own namespace alone, and no name reaches anything else',
    needs: 'beside',
    async run({ runner, halves, beside }) {
      await runner().open(openRecord('t1'))
      await write(halves, 't1', BYTES)
      const other = await beside()
      for (const half of [other.host(), other.runner()])
        if ('readFile' in half) assert.equal(await half.readFile?.('t1', nameOf(BYTES), 0), null)
      const odd = ['', '.', '..', '../t1', `../${nameOf(BYTES)}`, `${nameOf(BYTES)}/`, '*', '>', '%', 'a b']
      for (const name of odd) assert.equal(await filesOf(halves).readFile('t1', name, 0), null)
    },
  },
  {
    name: 'a file is read for the questions alone for which it was given, whoever knows its name',
    needs: 'beside',
    async run({ runner, halves }) {
      for (const id of ['t1', 't2']) await runner().open(openRecord(id))
      await write(halves, 't1', BYTES)
      assert.equal(await filesOf(halves).readFile('t2', nameOf(BYTES), 0), null)
      await write(halves, 't2', BYTES)
      for (const id of ['t1', 't2'])
        assert.ok((await readAll(filesOf(halves), id, nameOf(BYTES)))?.equals(BYTES), 'other bytes came back')
    },
  },
  roomCase('files', { files: distinct(8, 10), room: { ...FILE_ROOM, files: MOST } }),
  roomCase('bytes', { files: distinct(8, PIECE_BYTES), room: { ...FILE_ROOM, bytes: MOST * PIECE_BYTES } }),
  {
    name: 'the files of a settled question are swept with it, and those of one that waits stay',
    needs: 'sweep',
    async run({ runner, halves, sweep }) {
      const asking = runner()
      for (const id of ['t1', 't2']) {
        await asking.open(openRecord(id))
        await write(halves, id, BYTES)
      }
      await asking.settle('t1', receiptOf())
      await sweep()
      const name = nameOf(BYTES)
      assert.equal(await filesOf(halves).readFile('t1', name, 0), null)
      assert.ok(
        (await readAll(filesOf(halves), 't2', name))?.equals(BYTES),
        'a file that is needed was swept',
      )
    },
  },
]
