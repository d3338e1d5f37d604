import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { SandboxRuntimeConfig } from '@anthropic-ai/sandbox-runtime'
import type { StateFolderOption } from '@sandagent/files'
import { codeFolders } from './code-folders.ts'
import { isInside } from './is-inside.ts'
import { privateFiles } from './private-files.ts'
import { keptFolders, readOnlyFolders } from './workdir-folders.ts'

/** What a program inside may do, beside its work in the workdir. */
export interface ProgramAccess extends StateFolderOption {
  /** Absolute, without links. */
  workdir: string
  /** Files and folders that it may read; absolute. */
  readable: readonly string[]
  /** Files and folders of the host's that it must not read, also where they are in one that it may; absolute. */
  hidden: readonly string[]
  /** Hosts that it may reach, such as `api.example.com` or `*.example.com:443`. */
  hosts: readonly string[]
}

/** Systems and languages live here. Everything else is hidden on Linux: homes, other workdirs, sockets, mounted disks. */
const LINUX_READABLE = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/nix/store']

/** Where keys and passwords are, whoever may read the folder. What is for root or a group alone is hidden anyway. */
const LINUX_SECRETS = [
  'docker',
  'gshadow',
  'gshadow-',
  'kubernetes',
  'krb5.keytab',
  'letsencrypt',
  'rancher',
  'shadow',
  'shadow-',
  'ssh',
  'ssl/private',
  'sudoers',
  'sudoers.d',
  'wireguard',
].map((name) => `/etc/${name}`)

const linuxSecrets = (): string[] => [
  ...LINUX_SECRETS.filter(existsSync),
  ...['/etc', '/usr/local/etc'].filter(existsSync).flatMap((folder) => privateFiles(folder, LINUX_SECRETS)),
]

/** What the sandbox runtime opens for writing of itself, for all sandboxes of this machine alike. */
const openedByRuntime = (): string[] => [
  '/tmp/claude',
  '/private/tmp/claude',
  join(homedir(), '.npm/_logs'),
  join(homedir(), '.claude/debug'),
]

/** Seatbelt programs need much of the system; what belongs to people is hidden. */
const MACOS_HIDDEN = ['/Users', '/Volumes', '/private/tmp', '/private/var/folders', '/private/var/root']

/**
 * The rules for the sandbox of a workdir, as the sandbox runtime takes them.
 *
 * @param temporary the private folder for temporary files; where it is absent, an empty `/tmp` is made inside
 */
export function policyOf(
  { workdir, stateFolder, readable, hidden, hosts }: ProgramAccess,
  temporary?: string,
): SandboxRuntimeConfig {
  const code = codeFolders()
  const own = [
    workdir,
    ...keptFolders({ stateFolder }).map((path) => join(workdir, path)),
    ...gitFolder(workdir),
  ]
  const closed = [
    ...readOnlyFolders({ stateFolder }).map((path) => join(workdir, path)),
    ...gitPrograms(workdir),
    ...code.filter((folder) => isInside(workdir, folder)),
  ]
  const writable = temporary === undefined ? own : [...own, temporary]
  const isMac = process.platform === 'darwin'
  const visible = [...(isMac ? writable : LINUX_READABLE), ...code, ...readable.filter(existsSync)]
  return {
    network: { allowedDomains: [...hosts], deniedDomains: [] },
    filesystem: {
      denyRead: isMac ? MACOS_HIDDEN : ['/', ...linuxSecrets()],
      allowRead: visible.filter(existsSync).map((path) => literally(realpathSync(path))),
      allowWrite: writable.map(literally),
      denyWrite: closed.map(literally),
    },
    // What is denied as a credential stays so, whatever else is said of it or of the folders around it.
    credentials: {
      files: [...hidden, ...openedByRuntime()]
        .filter(existsSync)
        .map((path) => ({ path: realpathSync(path), mode: 'deny' as const })),
    },
  }
}

/** A path is never a pattern, whatever its characters. */
const literally = (path: string): { path: string; literal: true } => ({ path, literal: true })

/** A mount of its own, so that it cannot be moved away together with what is closed in it. */
const gitFolder = (workdir: string): string[] => [join(workdir, '.git')].filter(existsSync)

/** What git runs, or is told to run, when a person works in the folder later. */
const gitPrograms = (workdir: string): string[] =>
  [join(workdir, '.git/hooks'), join(workdir, '.git/config')].filter(existsSync)
