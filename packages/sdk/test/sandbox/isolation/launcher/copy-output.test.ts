import { execFileSync } from 'node:child_process'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished } from 'vitest'
import { copyOutput, outputFor } from '../../../../src/sandbox/isolation/launcher/copy-output.ts'

/** A pipe that takes only as much as fits, as a descriptor. */
async function narrowPipe() {
  const path = join(await tempDir(), 'pipe')
  execFileSync('mkfifo', [path])
  const pipe = await open(path, constants.O_RDWR | constants.O_NONBLOCK)
  onTestFinished(() => pipe.close())
  return pipe
}

it('a program gets no file as its output, and anything else as it is', async () => {
  const file = await open(join(await tempDir(), 'log'), 'w')
  onTestFinished(() => file.close())
  expect(outputFor(file.fd)).toBe('pipe')
  expect(outputFor((await narrowPipe()).fd)).toBe('inherit')
})

it('an output that has no room for now is waited for, and loses nothing', async () => {
  const pipe = await narrowPipe()
  const bytes = Buffer.alloc(300_000, 'abc')
  const copied = copyOutput(Readable.from([bytes.subarray(0, 5), bytes.subarray(5)]), pipe.fd)
  const read: Buffer[] = []
  let length = 0
  while (length < bytes.length) {
    const piece = await pipe.read().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EAGAIN') throw error
      return null
    })
    if (piece) read.push(Buffer.from(piece.buffer.subarray(0, piece.bytesRead)))
    length += piece?.bytesRead ?? 0
    await new Promise(setImmediate)
  }
  await copied
  expect(Buffer.concat(read).equals(bytes)).toBe(true)
})

it.runIf(process.platform === 'linux')('a full disk is waited for as long as it is there', async () => {
  const disk = await open('/dev/full', 'w')
  const copied = copyOutput(Readable.from([Buffer.from('text')]), disk.fd)
  copied.catch(() => {})
  for (let writes = 0; writes < 5; writes++)
    await expect(disk.write('text')).rejects.toMatchObject({ code: 'ENOSPC' })
  await disk.close()
  await expect(copied).rejects.toMatchObject({ code: 'EBADF' })
})

it('a program whose output goes elsewhere has nothing to copy', async () => {
  await expect(copyOutput(null, -1)).resolves.toBeUndefined()
})
