import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RemoteSandbox, RemoteSandboxOptions } from '@sandagent/remote'
import { type ContractCase, sandboxContract } from '@sandagent/testing'
import { COMMAND } from '../remote/piped-sandbox.ts'

interface Place {
  sandbox: RemoteSandbox
  cutAfter: (messages: number) => () => boolean
}

export type OpenPlace = (options: Omit<RemoteSandboxOptions, 'name' | 'connect'>) => Promise<Place>

/** The contract with a vendor's sandbox, whose programs run right here behind a stand-in for its service. */
export function vendorContract(open: OpenPlace): ContractCase[] {
  const places = new Map<RemoteSandbox, Place>()
  const make = async (workdir: string): Promise<RemoteSandbox> => {
    const place = await open({ workdir, isolation: 'none', relay: [process.execPath, COMMAND] })
    places.set(place.sandbox, place)
    return place.sandbox
  }
  const loseWorkdir = ({ workdir }: RemoteSandbox): Promise<void> =>
    rm(workdir, { recursive: true, force: true, maxRetries: 5 })
  return sandboxContract(async () => make(await realpath(await mkdtemp(join(tmpdir(), 'sandagent-test-')))), {
    async remove(sandbox) {
      for (const [each] of places) if (each.workdir === sandbox.workdir) each.close()
      await loseWorkdir(sandbox)
    },
    another: ({ workdir }) => make(workdir),
    loseWorkdir,
    cutAfter: (sandbox, messages) => (places.get(sandbox) as Place).cutAfter(messages),
  })
}
