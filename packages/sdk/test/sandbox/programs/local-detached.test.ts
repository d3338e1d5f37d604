import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { DetachedProgram, LocalSandbox } from '../../../src/index.ts'
import { refusalOf, tempSandbox } from '../../support/temp-sandbox.ts'

const OUTPUTS = { stdout: 'out', stderr: 'err' }
const STAYS = 'setInterval(() => {}, 60_000)'

/** Starts a Node script that is killed when the test ends. */
async function start({ detached }: LocalSandbox, script: string): Promise<DetachedProgram & { pid: number }> {
  const program = await detached.start(process.execPath, ['-e', script], OUTPUTS)
  onTestFinished(async () => {
    await detached.kill(program.handle)
    await program.ended
  })
  return { ...program, pid: Number(program.handle.split(' ')[0]) }
}

describe('a detached program', () => {
  it('is told from another process with the same number', async () => {
    const sandbox = await tempSandbox()
    const { handle, pid } = await start(sandbox, STAYS)
    const [, startedAt, system] = handle.split(' ')
    const others = [
      `${pid} 1 ${system}`,
      `${pid} ended ${system}`,
      `${pid} ${startedAt} another-boot/pid:[1]`,
    ]
    for (const other of others) {
      expect(await sandbox.detached.isRunning(other), other).toBe(false)
      await sandbox.detached.interrupt(other)
      await sandbox.detached.kill(other)
    }
    expect(await sandbox.detached.isRunning(handle)).toBe(true)
  })

  it('cannot be named by a text that means something else to the system', async () => {
    const { detached } = await tempSandbox()
    const signals = vi.spyOn(process, 'kill')
    onTestFinished(() => signals.mockRestore())
    const system = (await detached.start('true', [], OUTPUTS)).handle.split(' ')[2]
    for (const pid of [
      '',
      '0',
      '1',
      '-1',
      '00',
      '01',
      '1e0',
      '0x1',
      '99999999999',
      'self',
      `${process.pid}\n`,
    ])
      for (const handle of [`${pid} 1 ${system}`, `${pid} ended ${system}`, pid]) {
        expect(await detached.isRunning(handle), handle).toBe(false)
        await detached.interrupt(handle)
        await detached.kill(handle)
      }
    expect(signals).not.toHaveBeenCalled()
  })

  it('is not there when the system does not take its arguments', async () => {
    const { detached, files } = await tempSandbox()
    for (const argument of ['a\0b', 'x'.repeat(5_000_000)]) {
      expect((await refusalOf(detached.start('true', [argument], OUTPUTS))).code).toBe('INVALID_REQUEST')
      await Promise.all(['out', 'err'].map((path) => files.remove(path)))
    }
  })

  it('that is killed before it begins says so in its end', async () => {
    const { detached } = await tempSandbox()
    const beforeStart = async (handle: string): Promise<void> => {
      await detached.kill(handle)
      await vi.waitFor(async () => expect(await detached.isRunning(handle)).toBe(false))
    }
    const { ended } = await detached.start('true', [], { ...OUTPUTS, beforeStart })
    expect(await ended).toEqual({ exitCode: null, signal: 'SIGKILL' })
  })

  it('does not keep its host running, which has nothing of it open', async () => {
    const sandbox = await tempSandbox()
    const held = () => process.getActiveResourcesInfo().filter((kind) => /^(Process|Pipe)/.test(kind))
    const programs = () => held().filter((kind) => kind.startsWith('Process'))
    await vi.waitFor(() => expect(programs()).toEqual([])) // Those of earlier tests have gone.
    const before = held().length
    await start(sandbox, STAYS)
    expect(programs()).toEqual([])
    expect(held().length).toBeLessThanOrEqual(before) // Pipes of earlier tests may still go.
    expect(openIn(sandbox)).toEqual([])
  })

  it('that does not exist leaves nothing open either', async () => {
    const sandbox = await tempSandbox()
    expect((await refusalOf(sandbox.detached.start('no-such-program', [], OUTPUTS))).code).toBe('NOT_FOUND')
    expect(openIn(sandbox)).toEqual([])
  })
})

/** The files of a sandbox that this process has open. */
function openIn({ workdir }: LocalSandbox): string[] {
  const folder = '/proc/self/fd'
  if (!existsSync(folder)) return []
  const paths = readdirSync(folder).flatMap((descriptor) => {
    try {
      return readlinkSync(join(folder, descriptor))
    } catch {
      return [] // The one by which the folder was read.
    }
  })
  return paths.filter((path) => path.startsWith(workdir))
}
