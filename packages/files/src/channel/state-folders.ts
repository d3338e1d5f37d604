import { AskError, DEFAULT_STATE_FOLDER } from '@sandagent/core/internal'

const PLAIN_NAME = /^\.?[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/

/** Where a sandbox keeps its questions, answers and runs. */
export interface StateFolderOption {
  /**
   * The name of the folder in the workdir. Runner and host must use the same one. Only trusted code may choose it.
   * Default `.sandagent`.
   */
  readonly stateFolder?: string | undefined
}

/** The folders below the state folder, relative to the workdir. */
export interface StateFolders {
  state: string
  /** The questions. The runner alone writes there. */
  questions: string
  /** The answers. The host alone writes there. */
  approvals: string
  /** The files that people gave with their answers. The host alone writes there. */
  attachments: string
  /** The runs. The host alone writes there. */
  runs: string
  /** The home of isolated programs: what they keep from one run to the next, such as the sessions of Claude Code. */
  home: string
}

/** The paths below a state folder. @throws AskError `INVALID_REQUEST` when its name is not one plain folder name. */
export function stateFolders({
  stateFolder: state = DEFAULT_STATE_FOLDER,
}: StateFolderOption = {}): StateFolders {
  if (!PLAIN_NAME.test(state) || state.toLowerCase() === '.git')
    throw new AskError('INVALID_REQUEST', 'stateFolder takes one plain folder name, such as .sandagent', {
      facts: { stateFolder: state },
    })
  return {
    state,
    questions: `${state}/questions`,
    approvals: `${state}/approvals`,
    attachments: `${state}/attachments`,
    runs: `${state}/runs`,
    home: `${state}/home`,
  }
}
