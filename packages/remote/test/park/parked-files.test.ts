import { createLocalFiles } from '@sandagent/files/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { parkedFiles } from '../../src/park/parked-files.ts'
import { parkedPlace } from '../../src/park/parked-place.ts'
import { tempSandbox } from '../support/temp-sandbox.ts'

const ANSWERS = '.sandagent/approvals'
const ASLEEP = { state: 'asleep' as const, processes: [] as string[], deadline: null }

async function parked() {
  const sandbox = await tempSandbox()
  const copy = createLocalFiles(await tempDir())
  const place = await parkedPlace(sandbox, {
    records: createLocalFiles(await tempDir()),
    copy,
    onWanted: () => {
      void place.move(async () => null)
    },
    clock: createFakeClock(),
    wakeBeforeMs: 0,
  })
  return {
    sandbox,
    copy,
    place,
    files: parkedFiles(sandbox, place),
    sleep: () => place.move(async () => ASLEEP),
  }
}

it('files are read where the sandbox is at this moment', async () => {
  const { sandbox, copy, files, sleep } = await parked()
  expect(files.id).toBe(sandbox.files.id)
  await sandbox.files.writeAtomic('d/near', 'near')
  await copy.writeAtomic('d/copied', 'copied text')
  const look = async () => [
    await files.list('d'),
    await files.read('d/near'),
    (await files.stat('d/copied'))?.size,
    (await files.readFrom('d/copied', 2, 3))?.toString(),
    (await files.stamps?.('d'))?.size,
  ]
  expect(await look()).toEqual([['near'], 'near', undefined, undefined, 1])
  await sleep()
  expect(await look()).toEqual([['copied'], null, 11, 'pie', 1])
})

it('answers are written into the copy, and everything else wakes the sandbox', async () => {
  const { sandbox, copy, files, place, sleep } = await parked()
  await sleep()
  await files.writeAtomic(`${ANSWERS}/a.json`, 'answer', { exclusive: true })
  await expect(files.writeAtomic(`${ANSWERS}/a.json`, 'other', { exclusive: true })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  await files.sync?.(ANSWERS)
  expect([place.phase(), await copy.read(`${ANSWERS}/a.json`)]).toEqual(['asleep', 'answer'])
  await files.writeAtomic('other/a.json', 'text', { exclusive: true })
  expect([place.phase(), await sandbox.files.read('other/a.json')]).toEqual(['awake', 'text'])
  await expect(files.writeAtomic('other/a.json', 'new', { exclusive: true })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  await sleep()
  await files.remove('other/a.json')
  expect([place.phase(), await sandbox.files.read('other/a.json')]).toEqual(['awake', null])
  await files.writeAtomic(`${ANSWERS}/b.json`, 'near')
  expect(await sandbox.files.read(`${ANSWERS}/b.json`)).toBe('near')
})

it('an answer to a question whose deadline is over waits until the sandbox is awake', async () => {
  const { sandbox, copy, files, place } = await parked()
  await place.move(async () => ({ ...ASLEEP, deadline: 1 }))
  await files.writeAtomic(`${ANSWERS}/a.json`, 'answer')
  expect([place.phase(), await sandbox.files.read(`${ANSWERS}/a.json`)]).toEqual(['awake', 'answer'])
  expect(await copy.read(`${ANSWERS}/a.json`)).toBeNull()
})

it('no answer is taken for a sandbox that is gone', async () => {
  const { files, place } = await parked()
  await place.move(async () => ({ ...ASLEEP, state: 'gone' as const }))
  await expect(files.writeAtomic(`${ANSWERS}/a.json`, 'answer')).rejects.toMatchObject({ code: 'GONE' })
})

it('old files are removed while the sandbox is awake alone', async () => {
  const { sandbox, files, place, sleep } = await parked()
  const removeOld = vi.fn(async () => {})
  const own = parkedFiles({ ...sandbox, files: { ...sandbox.files, removeOld } } as never, place)
  await own.removeOld?.('d', { olderThanMs: 1 } as never)
  await sleep()
  await own.removeOld?.('d', {} as never)
  expect(place.phase()).toBe('asleep')
  expect(files.removeOld === undefined).toBe(sandbox.files.removeOld === undefined)
})

it('a watch goes on where the files are, and reports each move', async () => {
  const { sandbox, copy, files, place, sleep } = await parked()
  await sandbox.files.writeAtomic('d/f', '1')
  await copy.writeAtomic('d/f', '1')
  const onChange = vi.fn()
  const stop = files.watch?.('d', onChange)
  onTestFinished(() => stop?.())
  const changes = async (write: () => Promise<void>): Promise<void> => {
    onChange.mockClear()
    await vi.waitFor(async () => {
      await write()
      expect(onChange.mock.calls).toContainEqual(['f'])
    })
  }
  await changes(() => sandbox.files.writeAtomic('d/f', `${Math.random()}`))
  onChange.mockClear()
  await sleep()
  expect(onChange.mock.calls).toContainEqual([null])
  await changes(() => copy.writeAtomic('d/f', `${Math.random()}`))
  stop?.()
  onChange.mockClear()
  await place.move(async () => null)
  expect(onChange).not.toHaveBeenCalled()
})

it('a watch follows one place at a time, and releases each', async () => {
  const { sandbox, copy, place, sleep } = await parked()
  const log: string[] = []
  const watching = (name: string) => ({
    watch: () => {
      log.push(`watch ${name}`)
      return () => void log.push(`stop ${name}`)
    },
  })
  Object.assign(copy, watching('copy'))
  Object.assign(sandbox.files, watching('near'))
  const stop = parkedFiles(sandbox, place).watch?.('d', () => log.push('moved'))
  await sleep()
  stop?.()
  expect(log).toEqual(['watch near', 'stop near', 'watch copy', 'moved', 'stop copy'])
})
