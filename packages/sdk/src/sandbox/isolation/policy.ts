import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { SandboxRuntimeConfig } from '@anthropic-ai/sandbox-runtime'
import type { StateFolderOption } from '@sandagent/files'
import { codeFolders } from './code-folders.ts'
import { isInside } from './path-outside.ts'
import { keptFolders, readOnlyFolders } from './workdir-folders.ts'

/** What a program inside may do outside of the workdir. */
export interface ProgramAccess extends StateFolderOption {
  /** Absolute, without links. */
  workdir: string
  /** Files and folders that the program may read; absolute. */
  readable: readonly string[]
  /** Files and folders of the host that it must not read, even inside of readable folders; absolute. */
  hidden: readonly string[]
  /** Hosts that the program may reach, such as `api.example.com` or `*.example.com:443`. */
  hosts: readonly string[]
}

/** Folders of the system. Everything else is hidden on Linux: homes, other workdirs, sockets, mounted disks. */
const LINUX_READABLE = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/nix/store']

/** Folders of keys and passwords. Files that only root or a group may read are hidden anyway. */
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

/** Paths that the sandbox runtime makes writable for all sandboxes of this machine. */
const openedByRuntime = (): string[] => [
  '/tmp/claude',
  '/private/tmp/claude',
  join(homedir(), '.npm/_logs'),
  join(homedir(), '.claude/debug'),
]

/** Seatbelt programs need much of the system. Folders of users are hidden. */
const MACOS_HIDDEN = ['/Users', '/Volumes', '/private/tmp', '/private/var/folders', '/private/var/root']

/**
 * The rules for the sandbox of a workdir, in the format of the sandbox runtime.
 *
 * @param temporary the private folder for temporary files; without it, an empty `/tmp` is made inside
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
    // A denied credential stays denied, whatever the other rules say about it or the folders around it.
    credentials: {
      files: [...hidden, ...openedByRuntime()]
        .filter(existsSync)
        .map((path) => ({ path: realpathSync(path), mode: 'deny' as const })),
    },
  }
}

/** Whether programs inside see an absolute path. */
export function canBeRead(path: string, { workdir, readable }: ProgramAccess): boolean {
  const isMac = process.platform === 'darwin'
  if (isMac && !MACOS_HIDDEN.some((folder) => isInside(folder, path))) return true
  const own = [workdir, ...codeFolders(), ...readable]
    .filter(existsSync)
    .map((folder) => realpathSync(folder))
  return [...own, ...(isMac ? [] : LINUX_READABLE)].some((folder) => isInside(folder, path))
}

/** A path is never a pattern. */
const literally = (path: string): { path: string; literal: true } => ({ path, literal: true })

/** A separate mount. Otherwise a program could move it, together with the files that are denied in it. */
const gitFolder = (workdir: string): string[] => [join(workdir, '.git')].filter(existsSync)

/** Files with programs that git would run when a person works in the folder later. */
const gitPrograms = (workdir: string): string[] =>
  [join(workdir, '.git/hooks'), join(workdir, '.git/config')].filter(existsSync)

/** Permissions of others: to read a file, and to read and enter a folder. */
const READ = 0o004
const READ_AND_ENTER = 0o005

/** The files and folders below a folder that are not public: programs of root could read them. Leaves out `left`. */
export function privateFiles(folder: string, left: readonly string[] = []): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = `${folder}/${name}` // `join` takes as long as the system's calls.
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats || left.includes(path)) return []
    if (stats.isFile()) return stats.mode & READ ? [] : [path]
    if (!stats.isDirectory()) return []
    return (stats.mode & READ_AND_ENTER) === READ_AND_ENTER ? privateFiles(path, left) : [path]
  })
}
