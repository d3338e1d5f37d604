import { digestOf, isObject, planIn } from '@sandagent/core/internal'
import * as v from 'valibot'
import { beginningsOf, runsAnyCode } from './command-words.ts'
import { type Call, folderOfEdits, isEditTool } from './edit-folder.ts'
import { readCommand, shownWords } from './read-command.ts'

/** Which calls a grant covers. */
export type Reach =
  /** One call, by the digest of all that matters. A short command is shown. */
  | { kind: 'call'; toolName: string; digest: string; command?: string }
  /** Commands that begin with these words. `settings`: the digest of the rest of the input. */
  | { kind: 'command'; toolName: string; words: string[]; settings: string }
  /** Edits of files below a folder of the workdir; '' is the workdir. */
  | { kind: 'edits'; toolName: string; folder: string }
  | { kind: 'tool'; toolName: string }

const words = v.pipe(v.array(v.string()), v.minLength(1))

export const reachSchema: v.GenericSchema<unknown, Reach> = v.variant('kind', [
  v.object({
    kind: v.literal('call'),
    toolName: v.string(),
    digest: v.string(),
    command: v.exactOptional(v.string()),
  }),
  v.object({ kind: v.literal('command'), toolName: v.string(), words, settings: v.string() }),
  v.object({ kind: v.literal('edits'), toolName: v.string(), folder: v.string() }),
  v.object({ kind: v.literal('tool'), toolName: v.string() }),
])

/** Tools whose `command` is run by a shell: those of Claude Code and scripts, Gemini CLI and opencode. */
const SHELL_TOOLS = ['Bash', 'run_shell_command', 'bash']

/** Fields of a shell tool that do not change what a command does: the agent's words about it, and how long it may take. */
const WITHOUT_EFFECT = ['description', 'timeout']

/** Fields by which an unknown tool runs what it is given. All of its calls together are too much to allow. */
const RUNS_INPUT = ['command', 'cmd', 'commands', 'script', 'code', 'shell', 'program', 'args', 'argv', 'sql']

/** Names that are shown as they are. */
const PLAIN_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,127}$/

/** The longest command that the text of a grant shows. */
const MOST_SHOWN = 120

/** What a person can allow with a call, the narrowest first. */
export function reachesOf(call: Call): Reach[] {
  const { toolName, input } = call
  // A plan is read each time: the same words can mean other work later.
  if (!PLAIN_NAME.test(toolName) || planIn(call) !== undefined) return []
  const shell = shellCallOf(call)
  const digest = exactDigest(call)
  if (shell) {
    const read = readCommand(shell.command)
    if ('fault' in read) return [{ kind: 'call', toolName, digest }]
    const shown = shell.command.length <= MOST_SHOWN && { command: shell.command }
    const wider = beginningsOf(read.words).map(
      (words): Reach => ({ kind: 'command', toolName, words, settings: shell.settings }),
    )
    return [{ kind: 'call', toolName, digest, ...shown }, ...wider]
  }
  const exact: Reach = { kind: 'call', toolName, digest }
  if (isEditTool(toolName)) {
    const folder = folderOfEdits(call)
    return 'folder' in folder ? [exact, { kind: 'edits', toolName, folder: folder.folder }] : [exact]
  }
  const isRunner = isObject(input) && RUNS_INPUT.some((name) => Object.hasOwn(input, name))
  return isRunner || SHELL_TOOLS.includes(toolName) ? [exact] : [exact, { kind: 'tool', toolName }]
}

/**
 * Whether a grant of this reach covers a call. `why` says why not, if the call seems to be one of its calls.
 */
export function isWithin(reach: Reach, call: Call): { isCovered: boolean; why?: string } {
  if (reach.toolName !== call.toolName) return { isCovered: false }
  switch (reach.kind) {
    case 'tool':
      // It may have got a field by which it runs what it is given.
      return { isCovered: reachesOf(call).some(({ kind }) => kind === 'tool') }
    case 'call':
      return { isCovered: exactDigest(call) === reach.digest }
    case 'edits': {
      const found = folderOfEdits(call)
      if ('why' in found) return { isCovered: false, why: found.why }
      return { isCovered: reach.folder === '' || `${found.folder}/`.startsWith(`${reach.folder}/`) }
    }
    case 'command': {
      const shell = shellCallOf(call)
      const beginning = reach.words.join(' ')
      if (!shell?.command.trimStart().startsWith(beginning)) return { isCovered: false }
      const read = readCommand(shell.command)
      if ('fault' in read) return { isCovered: false, why: read.fault }
      if (!reach.words.every((word, index) => read.words[index] === word)) return { isCovered: false }
      return shell.settings === reach.settings
        ? { isCovered: true }
        : { isCovered: false, why: 'it runs with other settings' }
    }
  }
}

/** What a reach covers, in plain words. */
export function reachText(reach: Reach): string {
  switch (reach.kind) {
    case 'call':
      return reach.command === undefined
        ? `This exact call of \`${reach.toolName}\``
        : `Exactly the command ${shownWords([reach.command])}`
    case 'command':
      return `Every command that starts with ${shownWords(reach.words)}`
    case 'edits':
      return `Every \`${reach.toolName}\` of a file ${reach.folder === '' ? 'in the workdir' : `below \`${reach.folder}/\``}`
    case 'tool':
      return `Every call of \`${reach.toolName}\`, whatever it is given`
  }
}

/** What a person must know beside it; '' for nothing. */
export function reachWarning(reach: Reach): string {
  const [program = ''] = reach.kind === 'command' ? reach.words : []
  return runsAnyCode(program) ? ` \`${program}\` can run any code.` : ''
}

function shellCallOf({ toolName, input }: Call): { command: string; settings: string } | null {
  if (!SHELL_TOOLS.includes(toolName) || !isObject(input) || typeof input.command !== 'string') return null
  const { command, ...rest } = input
  return { command, settings: digestOf(withoutWords(rest)) }
}

const exactDigest = ({ toolName, input }: Call): string =>
  digestOf([SHELL_TOOLS.includes(toolName) && isObject(input) ? withoutWords(input) : input])

const withoutWords = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !WITHOUT_EFFECT.includes(name)))
