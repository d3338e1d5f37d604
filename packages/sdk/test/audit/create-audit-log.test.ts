import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type AuditLogOptions, createAuditLog, type Decision, verifyAuditLog } from '../../src/audit/index.ts'

const DECISION: Decision = { at: '2026-01-31T09:30:15.123Z', action: 'answer', outcome: 'OK' }

/** A decision that cannot be written. */
const circular = (): Decision => {
  const decision = { ...DECISION, itself: {} }
  decision.itself = decision
  return decision
}

async function logIn(options: Partial<AuditLogOptions> = {}) {
  const folder = join(await tempDir(), 'a/audit')
  const clock = createFakeClock('2026-01-31T09:30:15.123Z')
  const onError = vi.fn()
  const log = createAuditLog({ folder, clock, onError, ...options })
  onTestFinished(() => log.close())
  const files = () => readdirSync(folder).sort()
  const linesOf = (name = '') =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  const write = (count = 1, decision = DECISION) => {
    for (let number = 0; number < count; number++) {
      clock.advance(1)
      log.write(decision)
    }
  }
  return {
    folder,
    log,
    clock,
    onError,
    files,
    linesOf,
    write,
    opened: (at: number) => linesOf(files().at(at))[0],
  }
}

it.skipIf(process.platform === 'win32')('the folder and the files are for this user alone', async () => {
  const { folder, write, files } = await logIn()
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  write()
  expect(files()).toEqual([expect.stringMatching(/^audit-20260131T093015124Z-[0-9a-f]{8}\.jsonl$/)])
  expect(statSync(join(folder, files()[0] ?? '')).mode & 0o777).toBe(0o600)
})

it('the first line of the first file has its time, and no facts that are not', async () => {
  const { write, opened } = await logIn({ keep: 2 })
  write()
  expect(opened(0)).toEqual({
    ...{ seq: 1, previous: '', at: '2026-01-31T09:30:15.124Z', action: 'opened', after: {} },
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
})

it('a file is full when it has as many bytes as it may', async () => {
  const first = await logIn()
  first.write(2)
  const { size } = statSync(join(first.folder, first.files()[0] ?? ''))
  const [exact, more] = [await logIn({ maxBytes: size }), await logIn({ maxBytes: size + 1 })]
  exact.write(3)
  more.write(3)
  expect([exact.files().length, more.files().length]).toEqual([2, 1])
})

it('files are removed down to as many as asked for, and named with their last lines', async () => {
  const { write, files, linesOf, opened, log } = await logIn({ maxBytes: 1, keep: 2 })
  write(2)
  const [oldest = '', kept = ''] = files()
  const lasts = [linesOf(oldest).at(-1).hash, linesOf(kept).at(-1).hash]
  expect(opened(1)).not.toHaveProperty('removed')
  expect(opened(1).after).toEqual({ [oldest]: lasts[0] })
  write()
  expect(files()).toEqual([kept, expect.any(String)])
  expect(opened(1)).toMatchObject({ removed: { [oldest]: lasts[0] }, after: { [kept]: lasts[1] } })
  log.close()
})

describe('a folder that several logs share', () => {
  const shared = (folder: string, clock: ReturnType<typeof createFakeClock>, keep: number) => {
    const log = createAuditLog({ folder, keep, clock })
    onTestFinished(() => log.close())
    return log
  }
  const decisionAt = (clock: ReturnType<typeof createFakeClock>): Decision => ({
    ...DECISION,
    at: new Date(clock.now()).toISOString(),
  })

  it('keeps a file that another log still writes to, and the files for a day', async () => {
    const clock = createFakeClock('2026-01-31T09:30:15.123Z')
    const folder = await tempDir()
    const logs = Array.from({ length: 4 }, () => shared(folder, clock, 2))
    for (let number = 0; number < 40; number++) {
      clock.advance(1000)
      logs[number % 4]?.write(decisionAt(clock))
    }
    expect(await verifyAuditLog([folder])).toMatchObject({ files: 4, decisions: 40, faults: [], notes: [] })

    clock.advance(86_400_000)
    shared(folder, clock, 2).write(decisionAt(clock))
    // The last line of the first one is older than a day, and those of the others are too. Two files stay.
    expect(await verifyAuditLog([folder])).toMatchObject({ files: 2, decisions: 11, faults: [] })
    logs[0]?.write(decisionAt(clock))
    expect(await verifyAuditLog([folder])).toMatchObject({ files: 2, decisions: 2, faults: [] })
  })

  it('loses its oldest file after a clock went back, not its newest', async () => {
    const folder = await tempDir()
    const write = (time: string) => {
      const log = createAuditLog({ folder, clock: createFakeClock(time), maxBytes: 1, keep: 2 })
      log.write(DECISION)
      log.close()
      return readdirSync(folder).sort()
    }
    const [first] = write('2026-01-31T09:30:15.123Z')
    const [, second] = write('2026-01-31T08:00:00.000Z')
    expect(second).toContain('20260131T093015124Z')
    const last = write('2026-01-31T08:00:01.000Z')
    expect(last).toEqual([second, expect.stringContaining('20260131T093015125Z')])
    expect(last).not.toContain(first)
  })

  it('goes on beside a file that cannot be read', async () => {
    const { folder, write, files, onError, opened } = await logIn({ keep: 1 })
    const path = join(folder, 'audit-20250131T093015123Z-00000000.jsonl')
    mkdirSync(path)
    write()
    expect(onError.mock.calls).toMatchObject([[{ code: 'UNREACHABLE', facts: { path } }]])
    expect(files()).toHaveLength(2)
    expect(opened(1)).toMatchObject({ action: 'opened', after: {} })
    expect(opened(1)).not.toHaveProperty('removed')
  })

  it.skipIf(process.getuid?.() !== 0)('goes on beside a file that it cannot remove', async () => {
    const { folder, write, files, onError } = await logIn({ keep: 1 })
    const path = join(folder, 'audit-20250131T093015123Z-00000000.jsonl')
    writeFileSync(path, '', { mode: 0o644 })
    for (const above of [folder, join(folder, '..'), join(folder, '../..')]) chmodSync(above, 0o1777)
    process.seteuid?.('daemon')
    try {
      write(3)
    } finally {
      process.seteuid?.(0)
    }
    expect(onError.mock.calls).toMatchObject([[{ code: 'UNREACHABLE', facts: { path } }]])
    expect(files()).toHaveLength(2)
    const { decisions, faults } = await verifyAuditLog([join(folder, files()[1] ?? '')])
    expect([decisions, faults]).toEqual([3, []])
  })

  it('gets no file, and no hidden one, when the first line of a file cannot be written', async () => {
    const { folder, write, files } = await logIn()
    write()
    const [first] = files()
    // A time that no line can have.
    const clock = { ...createFakeClock(), now: () => -1e20 }
    const onError = vi.fn()
    createAuditLog({ folder, clock, onError }).write(DECISION)
    expect(onError.mock.calls).toMatchObject([[{ code: 'UNREACHABLE', cause: expect.any(RangeError) }]])
    expect(readdirSync(folder)).toEqual([first])
  })
})

it('a file without a whole line is removed, too', async () => {
  const { folder, write, files, opened } = await logIn({ keep: 1 })
  const empty = 'audit-20250131T093015123Z-00000000.jsonl'
  writeFileSync(join(folder, empty), '')
  write()
  expect(files()).toHaveLength(1)
  expect(opened(0)).toMatchObject({ removed: { [empty]: '' }, after: {} })
})

it('a decision that cannot be written is handed over and counted, and its file ends', async () => {
  const { folder, write, log, onError, files, opened } = await logIn()
  write()
  const [one, other] = [circular(), circular()]
  write(1, one)
  write(1, other)
  expect(onError.mock.calls.map(([error]) => error)).toMatchObject([
    { code: 'UNREACHABLE', facts: { path: folder, decision: one }, cause: expect.any(TypeError) },
    { facts: { path: folder, decision: other } },
  ])
  expect(onError.mock.calls[0]?.[0].message).toContain(`the audit log in ${folder}: Converting circular`)
  write()
  expect(opened(0)).not.toHaveProperty('missed')
  expect(opened(1)).toMatchObject({ missed: 1 })
  expect(opened(2)).toMatchObject({ missed: 1 })
  log.close()
  write()
  expect(opened(3)).not.toHaveProperty('missed')
  expect(files()).toHaveLength(4)
})

it.skipIf(process.platform !== 'linux')(
  'a log holds one open file at most, and none once it is closed',
  async () => {
    const { folder, write, log } = await logIn({ maxBytes: 1000 })
    const open = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
        } catch {
          return false
        }
      }).length
    write(20)
    expect(open()).toBe(1)
    write(1, circular())
    expect(open()).toBe(0)
    write()
    expect(open()).toBe(1)
    log.close()
    log.close()
    expect(open()).toBe(0)
  },
)

it('failures go to the console by default, and times are those of this machine', async () => {
  const folder = await tempDir()
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => error.mockRestore())
  const log = createAuditLog({ folder })
  log.write(circular())
  log.close()
  expect(error).toHaveBeenCalledOnce()
  const year = new Date().getUTCFullYear()
  expect(readdirSync(folder)).toEqual([expect.stringMatching(new RegExp(`^audit-${year}`))])
})

it.each([
  [{ keep: 0 }, 'keep is a number of files from 1, not 0'],
  [{ keep: -1 }, 'not -1'],
  [{ keep: 1.5 }, 'not 1.5'],
  [{ onError: 1 }, 'onError'],
  [{ clock: 1 }, 'clock'],
  [{ most: 1 }, 'most'],
])('the options %j are refused', async (options, message) => {
  const folder = join(await tempDir(), 'audit')
  expect(() => createAuditLog({ folder, ...options } as never)).toThrow(
    expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringContaining(message) }),
  )
  createAuditLog({ folder, keep: 1 })
})

it('a folder that cannot be made is named, with the reason', async () => {
  const path = join(await tempDir(), 'file')
  writeFileSync(path, '')
  const refusal = (folder: string, message: string) =>
    expect.objectContaining({
      code: 'UNSAFE_PATH',
      facts: { path: folder },
      message: expect.stringContaining(message),
    })
  expect(() => createAuditLog({ folder: path })).toThrow(refusal(path, 'it is no folder'))
  const below = join(path, 'audit')
  expect(() => createAuditLog({ folder: below })).toThrow(refusal(below, 'ENOTDIR'))
  if (process.platform === 'linux')
    expect(() => createAuditLog({ folder: '/proc/x' })).toThrow(refusal('/proc/x', 'ENOENT'))
})

it('of the refusals of one minute, 100 are written for each person, and the next line counts the others', async () => {
  const { log, clock, files, linesOf, folder } = await logIn()
  const refuse = (count: number, answeredBy?: string) => {
    for (let number = 0; number < count; number++)
      log.write({
        ...DECISION,
        action: 'request',
        outcome: 'UNAUTHENTICATED',
        ...(answeredBy && { answeredBy }),
      })
  }
  const lines = () => linesOf(files()[0]).slice(1)
  refuse(5000)
  expect(lines()).toHaveLength(100)
  refuse(1, 'ada')
  expect(lines().at(-1)).toMatchObject({ answeredBy: 'ada', leftOut: 4900 })
  log.write(DECISION)
  expect(lines().at(-1)).not.toHaveProperty('leftOut')
  clock.advance(60_000)
  refuse(101)
  expect(lines()).toHaveLength(202)
  for (let number = 0; number < 200; number++) log.write(DECISION)
  expect(lines()).toHaveLength(402)
  expect(lines()[202]).toMatchObject({ outcome: 'OK', leftOut: 1 })
  expect((await verifyAuditLog([folder])).faults).toEqual([])
})
