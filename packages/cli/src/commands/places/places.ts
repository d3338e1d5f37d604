import { lstatSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { AskError, type OnWarning, warningOf } from '@sandagent/core/internal'
import { stateFolders } from '@sandagent/files/internal'
import type { InboxSandbox } from '@sandagent/inbox'
import { knownWorkdirs } from '@sandagent/inbox'
import { commandSandbox } from '@sandagent/remote'
import { LocalSandbox, onceEach, type RunSandbox } from '@sandagent/sdk/internal'
import { usage } from '../../arguments/option-values.ts'
import type { PlaceChoice } from '../../arguments/shared-options.ts'
import { shellWords } from '../../arguments/shell-words.ts'
import type { CliIo } from '../../io.ts'
import { warn } from '../../warn.ts'

/** A folder in which agents ask, here or elsewhere. */
export interface Place extends InboxSandbox {
  sandbox: RunSandbox
  /** The command that reaches it; absent if it is on this machine. */
  command?: string
}

/**
 * The places that the options name. Without options: the known workdirs, and the current folder if somebody asked there. These
 * may change, so each call of the function that is returned looks again.
 *
 * @throws AskError `INVALID_REQUEST` for options that do not go together, `NOT_FOUND` for a missing folder
 */
export function createPlaces(
  { workdir: given = [], sandbox: commands = [], known = false, 'state-folder': stateFolder }: PlaceChoice,
  { stderr }: Pick<CliIo, 'stderr'>,
): () => Promise<Place[]> {
  if (given.some(({ value }) => value === '')) throw usage('--workdir needs the name of a folder')
  if (commands.some((command) => !given.some((folder) => folder.with === command)))
    throw usage('--sandbox needs --workdir DIR behind it, as a path inside of it')
  const named = given.map(({ value: workdir, with: command }) =>
    command === undefined
      ? localPlace({ workdir: existingFolder(workdir), stateFolder })
      : remotePlace(command, { workdir, stateFolder }),
  )
  const places = withoutRepeats(named)
  if (given.length > 0 && !known) return async () => places
  const onWarning = onceEach(warn(stderr))
  const made = new Map<string, Place | null>()
  return async () => {
    const folders = [...(await knownWorkdirs({ onWarning })), ...currentFolder(stateFolder)]
    const found = new Map(folders.map((folder) => [nameOf(folder), folder]))
    for (const [id, folder] of found) if (!made.get(id)) made.set(id, placeOrWarning(folder, onWarning))
    return withoutRepeats([...places, ...[...found.keys()].flatMap((id) => made.get(id) ?? [])])
  }
}

/** What a choice says, wherever it is said. The known folders may change. */
export const foldersOf = ({
  workdir = [],
  known = false,
  'state-folder': stateFolder,
}: PlaceChoice): unknown => ({
  named: workdir
    .map(({ value, with: command }) => [command ?? '', command === undefined ? resolve(value) : value])
    .sort(),
  known: known || workdir.length === 0,
  stateFolder: stateFolder ?? '',
})

const withoutRepeats = (places: readonly Place[]): Place[] => [
  ...new Map(places.map((place) => [place.id, place])).values(),
]

interface Folder {
  workdir: string
  stateFolder?: string | undefined
}

/** The current folder, if somebody has asked in it. */
function currentFolder(stateFolder: string | undefined): Folder[] {
  const { questions } = stateFolders({ stateFolder })
  const hasQuestions = statSync(questions, { throwIfNoEntry: false })?.isDirectory()
  return hasQuestions ? [{ workdir: realpathSync('.'), stateFolder }] : []
}

function localPlace(folder: Folder): Place {
  const sandbox = new LocalSandbox({ ...folder, agentUser: agentUserIn(folder) })
  const id = nameOf(folder)
  const home = homedir() + sep
  return { id, name: id.startsWith(home) ? `~/${id.slice(home.length)}` : id, sandbox }
}

/** A folder that is not safe to use hides no other one. */
function placeOrWarning(folder: Folder, onWarning: OnWarning): Place | null {
  try {
    return localPlace(folder)
  } catch (error) {
    const warning = warningOf(error)
    onWarning({ ...warning, message: `${nameOf(folder)}: ${warning.message}` })
    return null
  }
}

function remotePlace(command: string, folder: Folder): Place {
  const sandbox = commandSandbox(shellWords('--sandbox', command), folder)
  const id = `${command}:${nameOf(folder)}`
  return { id, name: id, sandbox, command }
}

const nameOf = ({ workdir, stateFolder = stateFolders().state }: Folder): string =>
  stateFolder === stateFolders().state ? workdir : join(workdir, stateFolder)

/** A missing folder is not made: its name may be misspelt. */
function existingFolder(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new AskError('NOT_FOUND', `There is no folder ${resolve(path)}. Make it, or correct the name`)
  return realpathSync(path)
}

/** The user that the programs of a folder run as, if root has given it away: see `agentUser` of `LocalSandbox`. */
function agentUserIn({ workdir, stateFolder }: Folder): string | undefined {
  if (process.getuid?.() !== 0) return undefined
  const { approvals, questions } = stateFolders({ stateFolder })
  const [host, agent] = [approvals, questions].map((name) =>
    lstatSync(join(workdir, name), { throwIfNoEntry: false }),
  )
  return host?.uid === 0 && agent && agent.uid !== 0 ? `${agent.uid}:${agent.gid}` : undefined
}
