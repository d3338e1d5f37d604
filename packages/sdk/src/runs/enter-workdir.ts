import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf, type OnWarning, warningOf } from '@sandagent/core/internal'
import {
  hostConfigFolder,
  readIfThere,
  type StateFolderOption,
  stateFolders,
  writeFileAtomic,
} from '@sandagent/files/internal'

/** A folder of this machine in which agents have asked. */
export interface KnownWorkdir {
  /** Absolute, without links. */
  workdir: string
  stateFolder: string
}

/** With the value `off`, this process enters no workdir. */
export const KNOWN_WORKDIRS_VARIABLE = 'SANDAGENT_KNOWN_WORKDIRS'

/** Each workdir has a file of its own, so that processes need not wait for each other. `knownWorkdirs` reads them. */
export const knownWorkdirsFolder = (): string => join(hostConfigFolder(), 'workdirs')

/**
 * Makes a workdir known to this user's commands. A failure is a warning: the agent can work without.
 *
 * @param place its workdir is absolute, without links
 */
export async function enterWorkdir(
  place: { workdir: string } & StateFolderOption,
  { onWarning }: { onWarning: OnWarning },
): Promise<void> {
  if (process.env[KNOWN_WORKDIRS_VARIABLE] === 'off') return
  const { workdir } = place
  const known: KnownWorkdir = { workdir, stateFolder: stateFolders(place).state }
  const text = JSON.stringify(known)
  const path = join(knownWorkdirsFolder(), `${digestOf(text)}.json`)
  try {
    if ((await readIfThere(path)) === text) return
    await mkdir(knownWorkdirsFolder(), { recursive: true, mode: 0o700 })
    await writeFileAtomic(path, text)
  } catch (error) {
    const { code, message } = warningOf(error)
    onWarning({ code, message: `${workdir} is not among the known workdirs: ${message}` })
  }
}
