// Why it is so: docs/decisions/0075-another-user-cannot-write-answers.md

import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AskError, checkOptions, type OptionNames } from '@sandagent/core/internal'
import {
  createOwnedFiles,
  hostConfigFolder,
  makeFolder,
  type RunFiles,
  type StateFolderOption,
  type SweepOption,
  stateFolders,
} from '@sandagent/files/internal'
import { type AgentUser, agentUserOf } from './agent-user/agent-user.ts'
import { giveWorkdir, ownersIn } from './agent-user/give-workdir.ts'
import { SIGNING_KEY_VARIABLE } from './host-config.ts'
import { installedRunner, RUNNER } from './installed-runner.ts'
import { isolatedLaunch } from './isolation/isolated-launch.ts'
import {
  ISOLATION_LEVELS,
  type Isolation,
  type IsolationLevel,
  isolationOf,
  sayOnce,
} from './isolation/isolation.ts'
import { nodeProgram } from './isolation/node-program.ts'
import { distrust } from './isolation/path-outside.ts'
import type { DetachedPrograms } from './programs/detached-programs.ts'
import type { LaunchOf } from './programs/launch.ts'
import { localDetached } from './programs/local-detached.ts'
import type { SandboxProcess, SpawnOptions } from './programs/process.ts'
import { spawnProgram, unstartedProcess } from './programs/spawn-program.ts'
import type { RunSandbox } from './sandbox.ts'

export interface LocalSandboxOptions extends StateFolderOption, SweepOption {
  /** The agent's folder. Links are resolved; a missing folder is created. */
  workdir: string
  /** Default `auto`. */
  isolation?: IsolationLevel | undefined
  /**
   * Another user of this machine, by name or as `UID:GID`. Programs run as this user and can write neither answers nor the
   * records of runs. Only root on Linux can do that. The workdir then belongs to root and to the user's group. Default:
   * programs run as the current user.
   */
  agentUser?: string | undefined
  /** Files and folders outside of the workdir that isolated programs may read, besides the system's own. Default: none. */
  readable?: readonly string[] | undefined
  /** Hosts that isolated programs may reach, such as `api.example.com` or `*.example.com:443`. Default: none. */
  hosts?: readonly string[] | undefined
  /** Called once in a process with whether programs are isolated, and why. Default: `console.error`. */
  onIsolation?: ((sentence: string) => void) | undefined
}

const NAMES: OptionNames<LocalSandboxOptions> = {
  workdir: 'folder',
  sweepAfterMs: true,
  stateFolder: true,
  isolation: ISOLATION_LEVELS,
  agentUser: true,
  readable: 'list',
  hosts: 'list',
  onIsolation: 'function',
}

/** A folder on this machine. Programs run in it as the current user or another one, isolated if the machine can do it. */
export class LocalSandbox implements RunSandbox {
  readonly workdir: string
  readonly stateFolder: string
  readonly sweepAfterMs: number | false | undefined
  readonly files: RunFiles
  readonly detached: DetachedPrograms
  readonly hostFolder: string
  readonly #options: {
    isolation: IsolationLevel
    readable: readonly string[]
    hosts: readonly string[]
    onIsolation: (sentence: string) => void
  }
  readonly #user: AgentUser | undefined

  /**
   * @throws AskError `UNSAFE_PATH` when the workdir cannot be made or another user could replace it, `INVALID_REQUEST` when
   *   `stateFolder` is no plain name, `ISOLATION_UNAVAILABLE` when programs cannot run as `agentUser`
   */
  constructor(options: LocalSandboxOptions) {
    checkOptions('LocalSandbox', options, NAMES)
    const { workdir, stateFolder, agentUser, isolation = 'auto', readable = [], hosts = [] } = options
    const { onIsolation = (sentence: string) => console.error(`sandagent: ${sentence}`) } = options
    this.stateFolder = stateFolders({ stateFolder }).state
    this.sweepAfterMs = options.sweepAfterMs
    makeFolder(resolve(workdir))
    this.workdir = realpathSync(workdir)
    this.hostFolder = this.workdir
    distrust(this.workdir)
    this.#options = { isolation, readable: readable.map((path) => resolve(path)), hosts, onIsolation }
    this.#user = agentUser === undefined ? undefined : agentUserOf(agentUser)
    if (this.#user) giveWorkdir(this.workdir, this.#user, this)
    const ownerOf = this.#user && ownersIn(this.#user, this)
    this.files = createOwnedFiles(this.workdir, ownerOf)
    this.detached = localDetached(this.workdir, { launchOf: this.#launchOf, ownerOf })
  }

  /** The isolation in force. @throws AskError `ISOLATION_UNAVAILABLE` when `strict` does not work on this machine. */
  activeIsolation(): Promise<Isolation> {
    return isolationOf(this.#options.isolation, this.#user)
  }

  async spawn(
    command: string,
    args: readonly string[] = [],
    { env, hosts, signal }: SpawnOptions = {},
  ): Promise<SandboxProcess> {
    const launch = await this.#launchOf(command, args, { env, hosts }).catch(notFound)
    if (launch instanceof AskError) return unstartedProcess(launch.cause as Error)
    return spawnProgram(launch, { cwd: this.workdir, signal })
  }

  readonly #launchOf: LaunchOf = async (name, given, { env, hosts = [] }) => {
    const runner = name === RUNNER ? installedRunner() : null
    const command = runner === null ? name : nodeProgram()
    const args = runner === null ? given : [runner, ...given]
    const { readable, onIsolation, ...options } = this.#options
    const user = this.#user
    const isolation = await this.activeIsolation()
    if (options.isolation !== 'none') sayOnce(isolation, onIsolation)
    if (isolation.level === 'none') {
      const own = user && {
        HOME: join(this.workdir, stateFolders(this).home),
        USER: user.name,
        LOGNAME: user.name,
      }
      // A program with the host's key could sign answers.
      return {
        command,
        args,
        env: { ...process.env, [SIGNING_KEY_VARIABLE]: undefined, ...own, ...env },
        user,
      }
    }
    const access = {
      workdir: this.workdir,
      stateFolder: this.stateFolder,
      readable,
      hidden: [hostConfigFolder()],
      hosts: [...options.hosts, ...hosts],
    }
    return { ...(await isolatedLaunch(command, args, { access, ...(env && { env }) })), user }
  }
}

/** A program that does not exist is reported by `ended`; other errors are thrown. */
function notFound(error: unknown): AskError {
  if (error instanceof AskError && error.code === 'NOT_FOUND') return error
  throw error
}
