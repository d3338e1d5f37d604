import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { type CalledOutput, connectByCalls } from '../../src/transport/called-program.ts'

const LONG = 'x'.repeat(1_000_000)

/** A program that prints what the test says. */
async function connected({ ended = new Promise<void>(() => {}) } = {}) {
  const program = {
    send: vi.fn(async (bytes: Buffer) => {
      if (bytes.includes('?')) throw new Error('The line is cut')
    }),
    end: vi.fn(async () => {}),
    ended,
  }
  const start = vi.fn(async (_output: CalledOutput) => program)
  const connection = await connectByCalls(start)
  const [{ print, complain }] = start.mock.calls[0] as [CalledOutput]
  return { connection, program, print, complain }
}

it('a program prints more only when what it printed was read', async () => {
  const { connection, print } = await connected()
  const printed = vi.fn()
  const printing = print(LONG).then(printed)
  await turn()
  expect(printed).not.toHaveBeenCalled()
  connection.stdout.resume()
  await printing
})

it('a program that waits for its reader goes on when the connection ends, and is ended', async () => {
  const { connection, program, print } = await connected()
  const printing = print(LONG)
  connection.end?.()
  await printing
  await print(LONG)
  expect(program.end).toHaveBeenCalledOnce()
  expect([connection.stdin.destroyed, connection.stdout.destroyed]).toEqual([true, true])
})

it('a program that has ended closes its connection, and is not ended again', async () => {
  const { connection, program } = await connected({ ended: Promise.resolve() })
  expect(await connection.closed).toBe('The relay ended')
  connection.end?.()
  expect(program.end).not.toHaveBeenCalled()
})

it('the reason of the end has the last line of the error output', async () => {
  const end: { ended?: () => void } = {}
  const ended = new Promise<void>((resolve) => {
    end.ended = resolve
  })
  const { connection, complain } = await connected({ ended })
  complain('first\nsec')
  complain('ond\n')
  end.ended?.()
  expect(await connection.closed).toBe('The relay ended: second')
})

it('a write that fails closes the connection, and says why', async () => {
  const { connection, program } = await connected()
  const failed = new Promise((resolve) => connection.stdin.once('error', resolve))
  connection.stdin.write('one')
  connection.stdin.write('two')
  connection.stdin.write('?')
  expect(await connection.closed).toBe('The line is cut')
  expect(await failed).toMatchObject({ message: 'The line is cut' })
  // What waits goes in one call.
  expect(program.send.mock.calls.map(([bytes]) => bytes.toString())).toEqual(['one', 'two?'])
})

it.each([
  [new Error('It was killed'), 'It was killed'],
  ['It was lost', 'It was lost'],
])('a program that fails closes its connection for its reason: %s', async (error, reason) => {
  const { connection, program } = await connected({ ended: Promise.reject(error) })
  expect(await connection.closed).toBe(reason)
  program.end.mockRejectedValue(new Error('The sandbox is gone'))
  connection.end?.()
  expect(program.end).toHaveBeenCalledOnce()
})
