import { appendFile, mkdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { submitAnswer } from '@sandagent/sdk'
import { describe, expect, it } from 'vitest'
import { hostCopy } from '../../src/park/host-copy.ts'
import { ask, picked, tempSandbox } from '../support/temp-sandbox.ts'

const RUN = '.sandagent/runs/r/1'
const [QUESTIONS, ANSWERS] = ['.sandagent/questions', '.sandagent/approvals']

async function copied() {
  const sandbox = await tempSandbox()
  const folder = await tempDir()
  /** Writes files of the sandbox, by their paths. */
  const put = async (files: Record<string, string>): Promise<void> => {
    for (const [path, text] of Object.entries(files)) await sandbox.files.writeAtomic(path, text)
  }
  return { sandbox, folder, put, copy: hostCopy(sandbox, folder) }
}

describe('a copy on the host', () => {
  it('has the questions, the answers and the runs, and nothing else', async () => {
    const { sandbox, put, copy } = await copied()
    await ask(sandbox, 'q')
    await submitAnswer(sandbox, { toolCallId: 'q', responses: {}, status: 'pending' }, { signingKeys: null })
    const runs = {
      [`${RUN}/run.json`]: 'record',
      [`${RUN}/exit.json`]: 'exit',
      [`${RUN}/stop.json`]: 'stop',
      [`${RUN}/stream.sse`]: 'events',
      [`${RUN}/stderr.log`]: 'complaints',
      '.sandagent/runs/r/2.json': 'given up',
    }
    const others = {
      [`${RUN}/other.json`]: '',
      '.sandagent/runs/r/0/run.json': '',
      '.sandagent/runs/r/x.json': '',
      '.sandagent/runs/not a run/1/run.json': '',
      [`${QUESTIONS}/notes.txt`]: '',
      [`${ANSWERS}/notes.txt`]: '',
      'src/index.ts': '',
    }
    await put({ ...runs, ...others })
    await copy.fetch()
    for (const [path, text] of Object.entries(runs)) expect(await copy.files.read(path), path).toBe(text)
    for (const path of Object.keys(others)) expect(await copy.files.read(path), path).toBeNull()
    for (const folder of [QUESTIONS, ANSWERS]) {
      // Beside it stands the claim of the draft.
      const names = (await copy.files.list(folder)).filter((each) => !each.startsWith('.'))
      expect(names).toEqual([expect.stringMatching(/^q.*json$/)])
      const [name] = names
      expect(await copy.files.read(`${folder}/${name}`)).toBe(await sandbox.files.read(`${folder}/${name}`))
    }
  })

  it('becomes equal again: new texts come, what is gone goes', async () => {
    const { sandbox, put, copy } = await copied()
    await put({ [`${QUESTIONS}/a.json`]: '1', [`${ANSWERS}/a.json`]: '1', [`${ANSWERS}/b.json`]: '1' })
    await put({
      [`${RUN}/run.json`]: '1',
      '.sandagent/runs/r/2.json': '1',
      '.sandagent/runs/s/1/run.json': '1',
    })
    await copy.fetch()
    for (const path of [`${QUESTIONS}/a.json`, `${ANSWERS}/a.json`, '.sandagent/runs/r/2.json'])
      await sandbox.files.remove(path)
    await sandbox.files.remove('.sandagent/runs/s/1/run.json')
    await rm(join(sandbox.workdir, '.sandagent/runs/s'), { recursive: true })
    await put({ [`${ANSWERS}/b.json`]: '2', [`${ANSWERS}/c.json`]: '1' })
    await copy.fetch()
    expect(await copy.files.list(QUESTIONS)).toEqual([])
    expect((await copy.files.list(ANSWERS)).sort()).toEqual(['b.json', 'c.json'])
    expect(await copy.files.read(`${ANSWERS}/b.json`)).toBe('2')
    expect(await copy.files.list('.sandagent/runs')).toEqual(['r'])
    expect(await copy.files.list('.sandagent/runs/r')).toEqual(['1'])
  })

  it('gets the new end of a log alone, unless a new run has taken the folder', async () => {
    const { sandbox, put, copy } = await copied()
    await put({ [`${RUN}/run.json`]: 'first', [`${RUN}/stream.sse`]: 'one' })
    await copy.fetch()
    await appendFile(join(sandbox.workdir, RUN, 'stream.sse'), ' two')
    await copy.fetch()
    expect(await copy.files.read(`${RUN}/stream.sse`)).toBe('one two')
    await put({ [`${RUN}/stream.sse`]: 'ONE TWO' })
    await copy.fetch()
    expect(await copy.files.read(`${RUN}/stream.sse`)).toBe('one two')
    await put({ [`${RUN}/run.json`]: 'second' })
    await copy.fetch()
    expect(await copy.files.read(`${RUN}/stream.sse`)).toBe('ONE TWO')
  })

  it('refuses more than 1 GiB', async () => {
    const { put, copy, folder } = await copied()
    await put({ [`${RUN}/run.json`]: 'first' })
    await copy.fetch()
    await writeFile(join(folder, RUN, 'stream.sse'), '')
    await truncate(join(folder, RUN, 'stream.sse'), 2 ** 30 - 4)
    await expect(copy.fetch()).rejects.toMatchObject({ code: 'TOO_LARGE' })
    await truncate(join(folder, RUN, 'stream.sse'), 2 ** 30 - 5)
    await copy.fetch()
    await copy.fetch()
    await put({ [`${RUN}/exit.json`]: '.' })
    await expect(copy.fetch()).rejects.toMatchObject({ code: 'TOO_LARGE' })
  })
})

describe('answers that came meanwhile', () => {
  it('are delivered once, drafts and final ones', async () => {
    const { sandbox, copy, folder } = await copied()
    await ask(sandbox, 'a')
    await ask(sandbox, 'b')
    await copy.fetch()
    const parked = await tempSandbox({ workdir: folder })
    const responses = { q1: picked('Python') }
    for (const [toolCallId, status] of [
      ['a', 'completed'],
      ['b', 'pending'],
    ] as const)
      await submitAnswer(parked, { toolCallId, responses, status }, { signingKeys: null })
    expect(await copy.deliver()).toEqual([])
    const names = (await copy.files.list(ANSWERS)).sort()
    expect((await sandbox.files.list(ANSWERS)).sort()).toEqual(names)
    for (const name of names)
      expect(await sandbox.files.read(`${ANSWERS}/${name}`), name).toBe(
        await copy.files.read(`${ANSWERS}/${name}`),
      )
    expect(await copy.deliver()).toEqual([])
  })

  it('do not hinder each other when one cannot be put in its place', async () => {
    const { sandbox, copy, folder } = await copied()
    await ask(sandbox, 'a')
    await ask(sandbox, 'b')
    await copy.fetch()
    const parked = await tempSandbox({ workdir: folder })
    const answer = (into: typeof sandbox, toolCallId: string, label: string) =>
      submitAnswer(
        into,
        { toolCallId, responses: { q1: picked(label) }, status: 'completed' },
        { signingKeys: null },
      )
    await answer(parked, 'a', 'Python')
    await answer(parked, 'b', 'Python')
    await answer(sandbox, 'a', 'TypeScript')
    const text = await sandbox.files.read(`${ANSWERS}/a.json`)
    expect(await copy.deliver()).toMatchObject([{ code: 'CONFLICT', facts: { path: `${ANSWERS}/a.json` } }])
    expect(await sandbox.files.read(`${ANSWERS}/a.json`)).toBe(text)
    expect(await sandbox.files.read(`${ANSWERS}/b.json`)).toContain('Python')
  })

  it('are left where a folder is in the way of a draft, and other failures come through', async () => {
    const { sandbox, copy, folder } = await copied()
    await mkdir(join(folder, ANSWERS), { recursive: true })
    await writeFile(join(folder, ANSWERS, 'a.json'), '{}')
    await mkdir(join(sandbox.workdir, ANSWERS, 'a.json', 'x'), { recursive: true })
    expect(await copy.deliver()).toHaveLength(1)
    const failing = { ...sandbox.files, read: () => Promise.reject(new Error('no disk')) }
    const other = hostCopy({ ...sandbox, files: failing } as never, folder)
    await expect(other.deliver()).rejects.toThrow('no disk')
  })
})
