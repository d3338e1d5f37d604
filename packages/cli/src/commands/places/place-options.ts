/** The options of commands that look at several folders. */
export const PLACE_OPTIONS = {
  workdir: {
    value: 'DIR',
    multiple: true,
    with: 'sandbox',
    help: 'only this folder; can be given several times. Default: every folder in which an agent ran, and the current one',
  },
  sandbox: {
    value: 'COMMAND',
    multiple: true,
    help: 'a command that reaches another machine or a container, such as "ssh user@host" or "docker exec -i box"; each --workdir after it is a path in there',
  },
  known: { help: 'beside the given folders: every folder of this machine in which an agent ran' },
  'state-folder': { value: 'NAME', help: 'the folder for questions, answers and runs; default: .sandagent' },
} as const
