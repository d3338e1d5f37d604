import { resolve } from 'node:path'
import { localFiles, type RunFiles } from '@sandagent/files'
import { execa } from 'execa'
import type { DetachedPrograms } from './detached-programs.ts'
import { localDetached } from './local-detached.ts'
import { makeFolder } from './make-folder.ts'
import type { ProcessEnd, RunSandbox, SandboxProcess, SpawnOptions } from './sandbox.ts'
import { SIGNING_KEY_VARIABLE } from './signing/load-signing-keys.ts'

/** How long a program may take to end after it was asked to, in milliseconds. */
const FORCE_KILL_AFTER_MS = 5000

export interface LocalSandboxOptions {
  /** The agent's folder. Relative paths start at the current directory; a missing folder is created. */
  workdir: string
}

/** A folder on this machine as a sandbox. Programs run in it as the current user, without isolation. */
export class LocalSandbox implements RunSandbox {
  readonly workdir: string
  readonly files: RunFiles
  readonly detached: DetachedPrograms

  /** @throws AskError `UNSAFE_PATH` when the workdir is no folder and cannot be made. */
  constructor({ workdir }: LocalSandboxOptions) {
    this.workdir = resolve(workdir)
    makeFolder(this.workdir)
    this.files = localFiles(this.workdir)
    this.detached = localDetached(this.workdir)
  }

  async spawn(
    command: string,
    args: readonly string[] = [],
    { env, signal }: SpawnOptions = {},
  ): Promise<SandboxProcess> {
    const subprocess = execa(command, args, {
      cwd: this.workdir,
      // Who has the host's key can sign answers.
      env: { [SIGNING_KEY_VARIABLE]: undefined, ...env },
      ...(signal && { cancelSignal: signal }),
      forceKillAfterDelay: FORCE_KILL_AFTER_MS,
      buffer: false,
      reject: false,
    })
    const ended = subprocess.then(
      ({ exitCode, signal: endedBy, cause }): ProcessEnd => ({
        exitCode: exitCode ?? null,
        signal: endedBy ?? null,
        ...(subprocess.pid === undefined && cause instanceof Error && { error: cause }),
      }),
    )
    return {
      pid: subprocess.pid,
      stdin: subprocess.stdin,
      stdout: subprocess.stdout,
      stderr: subprocess.stderr,
      ended,
      kill: () => void subprocess.kill(),
    }
  }
}
