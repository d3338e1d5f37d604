import { chown, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { answerFilePath, createFileRunnerStore, questionRecordPath } from '@sandagent/files'
import type { RemoteSandbox, RemoteSandboxOptions } from '@sandagent/remote'
import { type ContractCase, type StoreHalves, sandboxContract, storeContract } from '@sandagent/testing'
import { type PipedSandbox, pipedSandbox, type Through } from './piped-sandbox.ts'

/** Where relays run. Its folders can be seen from here, too. */
export interface Place extends Pick<Partial<RemoteSandboxOptions>, 'agentUser' | 'relay'> {
  through?: Through
  /** Where each case makes its workdir. */
  folder: string
  /** The user of the relay. Default: the user of this process. */
  uid?: number
}

const removeFolder = ({ workdir }: RemoteSandbox): Promise<void> =>
  rm(workdir, { recursive: true, force: true, maxRetries: 5 })

async function newFolder({ folder, uid }: Place): Promise<string> {
  const workdir = await mkdtemp(join(folder, 'sandagent-test-'))
  if (uid !== undefined && process.geteuid?.() === 0) await chown(workdir, uid, uid)
  return workdir
}

const open = (workdir: string, { folder: _folder, uid: _uid, ...options }: Place): Promise<PipedSandbox> =>
  pipedSandbox({ workdir, name: workdir, ...options })

/** The contract of sandboxes, with relays at a place that is there when the cases run. */
export function sandboxCases(place: () => Place): ContractCase[] {
  const opened = new Map<RemoteSandbox, PipedSandbox>()
  const made = async (workdir: string): Promise<RemoteSandbox> => {
    const piped = await open(workdir, place())
    opened.set(piped.sandbox, piped)
    return piped.sandbox
  }
  return sandboxContract(async () => made(await newFolder(place())), {
    async remove(sandbox) {
      sandbox.close()
      await removeFolder(sandbox)
    },
    another: ({ workdir }) => made(workdir),
    loseWorkdir: removeFolder,
    cutAfter(sandbox, messages) {
      const { wire } = opened.get(sandbox) as PipedSandbox
      let left = messages
      let isCut = left === 0
      if (isCut) wire.cut()
      wire.onFrame = () => {
        if (isCut || left-- > 0) return false
        isCut = true
        return true
      }
      return () => isCut
    },
  })
}

interface RemoteHalves extends StoreHalves {
  sandbox: RemoteSandbox
}

/** Puts a text into a file as another program would. */
async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.other`, text)
  await rename(`${path}.other`, path)
}

/** The contract of stores: the runner works in the folder itself, and the host behind a relay. */
export const storeCases = (place: () => Place): ContractCase[] =>
  storeContract(
    async (): Promise<RemoteHalves> => {
      const workdir = await newFolder(place())
      const { sandbox } = await open(workdir, place())
      return {
        sandbox,
        runner: () => createFileRunnerStore({ workdir }),
        host: () => sandbox.questions,
      }
    },
    {
      async remove({ sandbox }) {
        sandbox.close()
        await removeFolder(sandbox)
      },
      putAnswer: ({ sandbox: { workdir } }, id, text) => put(join(workdir, answerFilePath(id)), text),
      putRecord: ({ sandbox: { workdir } }, id, text) => put(join(workdir, questionRecordPath(id)), text),
    },
  )
