import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFakeClock } from '@sandagent/core/testing'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type AuditLogOptions, createAuditLog, type Decision } from '../../src/audit/index.ts'

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
  return { folder, log, onError, files, linesOf, write, opened: (at: number) => linesOf(files().at(at))[0] }
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

it('a folder that cannot be made is named, with the cause', async () => {
  const path = join(await tempDir(), 'file')
  writeFileSync(path, '')
  expect(() => createAuditLog({ folder: path })).toThrow(
    expect.objectContaining({
      code: 'UNSAFE_PATH',
      facts: { path },
      cause: expect.objectContaining({ code: 'EEXIST' }),
    }),
  )
})
