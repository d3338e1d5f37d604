// Why it is so: docs/decisions/0064-a-relay-works-at-the-far-end.md

import { randomUUID } from 'node:crypto'
import {
  backgroundClock,
  type Clock,
  checkOptions,
  invalid,
  type OptionNames,
} from '@sandagent/core/internal'
import type { HostQuestions } from '@sandagent/core/store'
import { type RunFiles, stateFolders } from '@sandagent/files/internal'
import type {
  DetachedPrograms,
  Isolation,
  LocalSandboxOptions,
  RunFacts,
  RunSandbox,
  SandboxConnection,
  SandboxProcess,
  SpawnOptions,
} from '@sandagent/sdk/internal'
import type { Connect } from '../connection/connection.ts'
import { isOtherVersion, openRelay } from '../connection/open-relay.ts'
import { createRelayClient, type RelayClient } from '../connection/relay-client.ts'
import { replyToBootstrap, uploadedRelay } from '../connection/uploaded-relay.ts'
import { remoteDetached } from './remote-detached.ts'
import { remoteFiles } from './remote-files.ts'
import { spawnRemotely } from './remote-process.ts'
import { remoteStore } from './remote-store.ts'

export interface RemoteSandboxOptions extends Omit<LocalSandboxOptions, 'onIsolation'> {
  /**
   * Tells this sandbox from every other one of this process. All objects for one sandbox need the same name. It is never
   * used as a path.
   */
  name: string
  /** The agent's folder, as an absolute path inside the sandbox. A missing folder is created. */
  workdir: string
  /** Starts a program inside the sandbox, and gives its streams. */
  connect: Connect
  /** Node.js inside the sandbox, version 20 or newer. Default: `node`, which is found there by the `PATH`. */
  node?: string | undefined
  /** The `sandagent` command inside the sandbox. Default: its part that is needed comes with the first connection. */
  relay?: readonly [string, ...string[]] | undefined
  /** For time-outs and pauses. Its timers should not keep the process running. */
  clock?: Clock | undefined
}

const NAMES: OptionNames<RemoteSandboxOptions> = {
  name: true,
  workdir: true,
  connect: 'function',
  node: true,
  relay: 'list',
  isolation: true,
  agentUser: true,
  readable: 'list',
  hosts: 'list',
  stateFolder: true,
  sweepAfterMs: true,
  clock: 'clock',
}

/** A sandbox somewhere else. A relay inside does its work, over one connection that is made at the first request. */
export class RemoteSandbox implements RunSandbox {
  readonly workdir: string
  readonly stateFolder: string
  readonly sweepAfterMs: number | false | undefined
  readonly files: RunFiles
  readonly detached: DetachedPrograms
  readonly questions: HostQuestions
  readonly runs: RunFacts
  readonly connection: SandboxConnection
  readonly #client: RelayClient

  /** @throws AskError `INVALID_REQUEST` for options that cannot be used */
  constructor(options: RemoteSandboxOptions) {
    checkOptions('RemoteSandbox', options, NAMES)
    const { name, workdir, connect, node = 'node', relay, clock = backgroundClock } = options
    if (!/^(\/|[A-Za-z]:[\\/])/.test(workdir))
      throw invalid('INVALID_REQUEST', 'RemoteSandbox', [
        { path: 'workdir', expected: 'an absolute path inside the sandbox' },
      ])
    this.workdir = workdir
    this.stateFolder = stateFolders(options).state
    this.sweepAfterMs = options.sweepAfterMs
    const words = relayArguments(options, randomUUID())
    let isUploaded = relay === undefined
    const open: Parameters<typeof createRelayClient>[0]['open'] = async (taking) => {
      const argv: [string, ...string[]] = relay && !isUploaded ? [...relay] : uploadedRelay(node)
      argv.push(...words)
      try {
        return await openRelay({ connect, argv, replyTo: replyToBootstrap(), ...taking, clock })
      } catch (error) {
        if (isUploaded || !isOtherVersion(error)) throw error
        isUploaded = true
        return open(taking)
      }
    }
    this.#client = createRelayClient({ open, clock })
    this.files = remoteFiles(this.#client, `remote ${JSON.stringify([name, workdir])}`)
    this.detached = remoteDetached(this.#client)
    const { questions, runs } = remoteStore(this.#client)
    this.questions = questions
    this.runs = runs
    this.connection = this.#client
  }

  /** The isolation in force inside. @throws AskError `ISOLATION_UNAVAILABLE` when `strict` does not work there. */
  activeIsolation(): Promise<Isolation> {
    return this.#client.call('activeIsolation', {})
  }

  spawn(command: string, args: readonly string[] = [], options: SpawnOptions = {}): Promise<SandboxProcess> {
    return spawnRemotely(this.#client, command, args, options)
  }

  /** Ends the connection. Detached programs go on. Further requests fail with `UNREACHABLE`. */
  close(): void {
    this.#client.close()
  }
}

/** The command line of the relay, after the `sandagent` command. */
function relayArguments(options: RemoteSandboxOptions, session: string): string[] {
  const { workdir, isolation, agentUser, readable = [], hosts = [], stateFolder, sweepAfterMs } = options
  const single = {
    workdir,
    session,
    isolation,
    'agent-user': agentUser,
    'state-folder': stateFolder,
    'sweep-after-ms': sweepAfterMs === undefined ? undefined : sweepAfterMs || 'never',
  }
  return [
    'relay',
    ...Object.entries(single).flatMap(([name, value]) => (value === undefined ? [] : `--${name}=${value}`)),
    ...readable.map((path) => `--readable=${path}`),
    ...hosts.map((host) => `--allow-host=${host}`),
  ]
}
