import { chmod, mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  answerFilePath,
  createFileHostStore,
  createFileRunnerStore,
  createLocalFiles,
  questionRecordPath,
  type SandboxFiles,
} from '@sandagent/files'
import { type StoreHalves, storeContract } from '@sandagent/testing'
import { describe, it } from 'vitest'

interface FileHalves extends StoreHalves {
  workdir: string
}

const makeStore =
  (reach: (workdir: string) => SandboxFiles = createLocalFiles) =>
  async (): Promise<FileHalves> => {
    const workdir = await realpath(await mkdtemp(join(tmpdir(), 'sandagent-test-')))
    return {
      workdir,
      runner: () => createFileRunnerStore({ workdir }),
      host: () => createFileHostStore({ files: reach(workdir) }),
    }
  }

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.other`, text)
  await rename(`${path}.other`, path)
}

const abilities = {
  remove: ({ workdir }: FileHalves) => rm(workdir, { recursive: true, force: true, maxRetries: 5 }),
  putAnswer: ({ workdir }: FileHalves, id: string, text: string) =>
    put(join(workdir, answerFilePath(id)), text),
  putRecord: ({ workdir }: FileHalves, id: string, text: string) =>
    put(join(workdir, questionRecordPath(id)), text),
}

describe('the store over files', () => {
  const cases = storeContract(makeStore(), {
    ...abilities,
    beside: makeStore(),
    hostProcess: ({ workdir }) => ({
      module: join(import.meta.dirname, '../support/programs/host-store.mjs'),
      args: [workdir],
    }),
    // Root may read everything, so it becomes another user for the moment.
    async hideAnswer({ workdir }) {
      const folder = join(workdir, dirname(answerFilePath('')))
      await chmod(folder, 0)
      const { geteuid, seteuid } = process
      const isRoot = geteuid?.() === 0
      if (isRoot) seteuid?.('nobody')
      return () => {
        if (isRoot) seteuid?.(0)
        return chmod(folder, 0o700)
      }
    },
  })
  for (const { name, run } of cases) it(name, run)
})

describe('the store over the files of a sandbox that reports no changes', () => {
  const silent = (workdir: string): SandboxFiles => {
    const { id, read, writeAtomic, list } = createLocalFiles(workdir)
    return { id, read, writeAtomic, list }
  }
  for (const { name, run } of storeContract(makeStore(silent), abilities)) it(name, run)
})
