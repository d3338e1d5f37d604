import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createFakeClock } from '@sandagent/testing'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AuditLogOptions, createAuditLog, type Decision, verifyAuditLog } from '../../src/audit/index.ts'

const decisionOf = (number: number): Decision => ({
  at: '2026-01-31T09:30:15.123Z',
  action: 'answer',
  toolCallId: `call-${number}`,
  answeredBy: 'Zoë\u2028',
  outcome: 'OK',
})

const filesOf = (folder: string): string[] =>
  readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').split('\n').slice(0, -1)

const clock = createFakeClock()

/** A log of `count` decisions, closed. Each has a time of its own: files that begin at the same time have no order. */
async function logged(count: number, options: Partial<AuditLogOptions> = {}): Promise<string> {
  const folder = options.folder ?? (await tempDir())
  const log = createAuditLog({ folder, clock, ...options })
  for (let number = 0; number < count; number++) {
    clock.advance(1)
    log.write(decisionOf(number))
  }
  log.close()
  return folder
}

const onlyFile = (folder: string): string => {
  const [path, ...more] = filesOf(folder)
  if (path === undefined || more.length > 0) throw new Error(`${folder} has ${more.length + 1} files`)
  return path
}

describe('an audit log', () => {
  it('holds each decision as a line of JSON', async () => {
    const folder = await logged(2)
    const [opened, first, second] = linesOf(onlyFile(folder)).map((line) => JSON.parse(line))
    expect(opened).toMatchObject({ action: 'opened', seq: 1, previous: '', after: {} })
    expect(first).toMatchObject({ ...decisionOf(0), seq: 2, previous: opened.hash })
    expect(second).toMatchObject({ ...decisionOf(1), seq: 3, previous: first.hash })
    const report = await verifyAuditLog([folder])
    expect(report).toMatchObject({ files: 1, decisions: 2, faults: [], notes: [] })
    expect(Object.values(report.heads)).toEqual([second.hash])
  })

  it('makes no file before the first decision', async () => {
    expect(filesOf(await logged(0))).toEqual([])
  })

  it('begins another file when one is full, and each file names the file before', async () => {
    const folder = await logged(40, { maxBytes: 1000 })
    expect(filesOf(folder).length).toBeGreaterThan(5)
    expect(await verifyAuditLog([folder])).toMatchObject({ decisions: 40, faults: [], notes: [] })
    expect(Object.keys((await verifyAuditLog([folder])).heads)).toHaveLength(1)
  })

  it('keeps as many files as asked for, and says which it removed', async () => {
    const folder = await logged(40, { maxBytes: 1000, keep: 3 })
    expect(filesOf(folder)).toHaveLength(3)
    const report = await verifyAuditLog([folder])
    expect(report.faults).toEqual([])
    expect(report.notes.join()).toContain('was removed to keep fewer files')
  })

  it('goes on after a process that was killed', async () => {
    const folder = await tempDir()
    const door = pathToFileURL(join(import.meta.dirname, '../../dist/audit/index.js')).href
    const program = `
      const { createAuditLog } = await import(${JSON.stringify(door)})
      const log = createAuditLog({ folder: process.argv[1] })
      for (let number = 0; ; number++) {
        log.write({ at: new Date().toISOString(), action: 'answer', toolCallId: 'call-' + number, outcome: 'OK' })
        console.log(number)
      }`
    for (let round = 0; round < 3; round++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder])
      onTestFinished(() => void child.kill('SIGKILL'))
      let last = -1
      for await (const line of createInterface({ input: child.stdout })) {
        last = Number(line)
        if (last > 100) child.kill('SIGKILL')
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      const newest = filesOf(folder).at(-1) ?? ''
      // Nothing is missing that the process was told is written.
      expect(linesOf(newest).length).toBeGreaterThanOrEqual(last + 2)
    }
    expect(await verifyAuditLog([folder])).toMatchObject({ files: 3, faults: [] })
  })

  it('passes over a line that was cut off in the middle, and says so', async () => {
    const folder = await logged(3)
    const path = onlyFile(folder)
    truncateSync(path, readFileSync(path).length - 20)
    await logged(1, { folder })
    const report = await verifyAuditLog([folder])
    expect(report).toMatchObject({ files: 2, decisions: 3, faults: [] })
    expect(report.notes).toEqual([expect.stringContaining('ends in the middle of line 4')])
  })

  it('is shared by several logs at a time', async () => {
    const folder = await tempDir()
    const logs = [1, 2, 3].map(() => createAuditLog({ folder }))
    for (let number = 0; number < 30; number++) logs[number % 3]?.write(decisionOf(number))
    for (const log of logs) log.close()
    await logged(1, { folder })
    const report = await verifyAuditLog([folder])
    expect(report).toMatchObject({ files: 4, decisions: 31, faults: [] })
    expect(Object.keys(report.heads)).toHaveLength(1)
  })

  it('begins another file when somebody removed its own', async () => {
    const folder = await tempDir()
    const log = createAuditLog({ folder })
    log.write(decisionOf(1))
    rmSync(onlyFile(folder))
    log.write(decisionOf(2))
    log.close()
    expect(readFileSync(onlyFile(folder), 'utf8')).toContain('call-2')
  })

  it('hands over a decision that cannot be written, and counts it in the next file', async () => {
    const folder = join(await tempDir(), 'audit')
    const errors: unknown[] = []
    const log = createAuditLog({ folder, onError: (error) => errors.push(error) })
    rmSync(folder, { recursive: true })
    writeFileSync(folder, '')
    log.write(decisionOf(1))
    expect(errors).toMatchObject([{ code: 'UNREACHABLE', facts: { decision: decisionOf(1) } }])
    rmSync(folder)
    log.write(decisionOf(2))
    log.close()
    expect((await verifyAuditLog([folder])).notes).toEqual([expect.stringContaining('1 decisions before')])
  })

  it('refuses a folder that cannot be made, and options that mean nothing', async () => {
    const file = join(await tempDir(), 'file')
    writeFileSync(file, '')
    expect(() => createAuditLog({ folder: join(file, 'audit') })).toThrow(
      expect.objectContaining({ code: 'UNSAFE_PATH', message: expect.stringContaining(file) }),
    )
    expect(() => createAuditLog({ folder: file, keep: 0 })).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    )
  })
})

describe('verifying an audit log', () => {
  it('finds every line that was removed, changed, copied or moved, but for a cut end', async () => {
    const folder = await logged(12)
    const path = onlyFile(folder)
    const lines = linesOf(path)
    const at = fc.nat(lines.length - 2)
    const harm = fc.oneof(
      at.map((index) => lines.toSpliced(index, 1)),
      at.map((index) => lines.toSpliced(index, 0, lines[index] ?? '')),
      at.map((index) => lines.toSpliced(index, 2, lines[index + 1] ?? '', lines[index] ?? '')),
      fc.tuple(at, fc.nat(60)).map(([index, place]) => {
        const line = lines[index] ?? ''
        const other = line[place] === '7' ? '8' : '7'
        return lines.with(index, line.slice(0, place) + other + line.slice(place + 1))
      }),
    )
    await fc.assert(
      fc.asyncProperty(harm, async (harmed) => {
        writeFileSync(path, harmed.map((line) => `${line}\n`).join(''))
        expect((await verifyAuditLog([folder])).faults).not.toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('finds a cut end by the next file, or by a hash that was kept elsewhere', async () => {
    const folder = await logged(3)
    const path = onlyFile(folder)
    const [hash = ''] = Object.values((await verifyAuditLog([folder])).heads)
    const whole = readFileSync(path, 'utf8')
    writeFileSync(path, `${linesOf(path).slice(0, -1).join('\n')}\n`)
    expect((await verifyAuditLog([folder])).faults).toEqual([])
    expect((await verifyAuditLog([folder], { expect: [hash] })).faults).toMatchObject([{ kind: 'missing' }])

    writeFileSync(path, whole)
    await logged(1, { folder })
    expect(await verifyAuditLog([folder], { expect: [hash] })).toMatchObject({ faults: [] })
    writeFileSync(path, `${linesOf(path).slice(0, -1).join('\n')}\n`)
    expect((await verifyAuditLog([folder])).faults).toMatchObject([{ kind: 'missing', file: path }])
  })

  it('finds a file that was removed, emptied, or has a foreign line', async () => {
    const folder = await logged(20, { maxBytes: 1000 })
    const [first = '', second = ''] = filesOf(folder)
    const before = readFileSync(second, 'utf8')
    rmSync(second)
    expect((await verifyAuditLog([folder])).faults).toMatchObject([{ kind: 'missing' }])
    writeFileSync(second, '')
    expect((await verifyAuditLog([folder])).faults.map(({ kind }) => kind)).toContain('missing')
    writeFileSync(second, before)
    appendFileSync(first, '{"seq":1}\n')
    expect((await verifyAuditLog([folder])).faults).toMatchObject([{ kind: 'unreadable', file: first }])
  })

  it('checks single files alone', async () => {
    const folder = await logged(20, { maxBytes: 1000 })
    const [, second = ''] = filesOf(folder)
    const report = await verifyAuditLog([second])
    expect(report).toMatchObject({ files: 1, faults: [] })
    expect(report.notes).toEqual([expect.stringContaining('was not given')])
  })

  it('says that there is no log', async () => {
    const folder = await tempDir()
    await expect(verifyAuditLog([folder])).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(verifyAuditLog([join(folder, 'x')])).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
