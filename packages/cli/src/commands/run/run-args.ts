import { AGENT_NAMES } from '@sandagent/core/internal'
import type { AcpAgentOptions } from '@sandagent/runner/acp'
import type { AgUiAgentOptions } from '@sandagent/runner/ag-ui'
import type { ClaudeAgentOptions } from '@sandagent/runner/claude'
import type { CodexAgentOptions } from '@sandagent/runner/codex'
import type { EveAgentOptions } from '@sandagent/runner/eve'
import { type CommandLine, readCommandLine, type Values } from '../../arguments/command-line.ts'
import { milliseconds, usage } from '../../arguments/option-values.ts'
import {
  ASKING_OPTIONS,
  askingOf,
  DEMAND_OPTIONS,
  STATE_FOLDER_OPTION,
} from '../../arguments/shared-options.ts'

const MODEL = 'Options of --agent claude and codex'
const SESSION = 'Options of --agent claude, codex, acp and eve'
const CLAUDE = 'Options of --agent claude'
const AT_AN_ADDRESS = 'Options of --agent ag-ui and eve'

const OPTIONS = {
  agent: {
    value: 'NAME',
    words: AGENT_NAMES,
    help: 'command (default): a program that asks; claude: Claude Code, by @anthropic-ai/claude-agent-sdk; codex: the installed Codex; acp: a program that speaks the Agent Client Protocol, such as gemini --acp, by @agentclientprotocol/sdk; ag-ui: an agent at an address, by @ag-ui/client; eve: an agent of eve at an address, by eve; scripted (default with --scenario): follows a scenario, without a model',
  },
  scenario: { value: 'FILE', help: 'what the scripted agent does, as JSON' },
  prompt: { value: 'TEXT', help: 'the prompt, where a program stands in its place' },
  workdir: { value: 'DIR', default: '.', help: 'where it works; default: the current folder' },
  ...STATE_FOLDER_OPTION,
  ...ASKING_OPTIONS,
  'run-id': {
    value: 'ID',
    help: 'default: random; the same again takes up the questions that a broken run left open',
  },
  continues: {
    value: 'RUN',
    multiple: true,
    help: 'an earlier run whose open questions this one may take up, where answers are signed',
  },
  format: { value: 'FORMAT', words: ['text', 'stream'], help: 'text (default in a terminal) or stream' },
  'screen-reader': { help: 'asks in plain lines, and draws nothing again' },
  isolation: {
    value: 'LEVEL',
    words: ['none', 'auto', 'strict'],
    default: 'none',
    help: 'strict: keeps the agent in the folder, or fails; auto: where that works; none (default). It takes the format stream',
  },
  model: { value: 'MODEL', group: MODEL, help: 'default: the one that the agent takes' },
  resume: {
    value: 'SESSION',
    group: SESSION,
    help: 'goes on with a session; without a prompt, with its open question. acp needs --prompt',
  },
  'system-prompt': { value: 'TEXT', group: CLAUDE, help: 'default: that of Claude Code' },
  'allowed-tools': {
    value: 'A,B',
    group: CLAUDE,
    help: 'what runs without asking, such as Read,Bash(git log:*)',
  },
  'mcp-config': {
    value: 'FILE',
    group: CLAUDE,
    help: 'its MCP servers, as JSON: {"mcpServers": {…}}',
  },
  'defer-after-ms': {
    value: 'N',
    group: CLAUDE,
    help: 'ends the run when a question has no answer for N milliseconds; --resume goes on with it',
  },
  tickets: {
    group: CLAUDE,
    help: 'its model may ask without waiting: it goes on with what it assumes, and is told the answer when it comes',
  },
  unattended: { group: CLAUDE, help: 'nobody is there: no questions, and no permissions' },
  url: { value: 'URL', group: AT_AN_ADDRESS, help: 'where the agent is' },
  ...DEMAND_OPTIONS,
} as const

export const RUN = {
  summary: 'Run an agent in a folder; it may ask, and waits for the answers',
  usage: [
    'run [options] PROGRAM [ARGUMENT…]',
    'run --agent claude [options] -- PROMPT',
    'run --agent acp --prompt TEXT [options] -- PROGRAM [ARGUMENT…]',
    'run --agent ag-ui --url URL [options] -- PROMPT',
    'run --agent codex [options] -- PROMPT',
    'run --agent eve --url URL [options] -- PROMPT',
    'run --scenario FILE [options] -- PROMPT',
  ],
  about:
    'Runs an agent in a folder. In a terminal it prints text and asks there; a question can be answered anywhere else too, and the first answer counts. Without a terminal it prints an AI SDK UI message stream.',
  options: OPTIONS,
  words: [],
  unknownOption: '. Options of the program stand behind --: sandagent run -- PROGRAM …',
  examples: [
    ['run node agent.mjs', 'starts a program that asks'],
    ['run -- node --watch agent.mjs', 'the same, where the program has options of its own'],
    ['run --agent claude -- "Tidy up the tests"', 'lets Claude Code work in the current folder'],
    [
      'run --policy policy.json --inbox http://localhost:7263 node agent.mjs',
      'takes no answer without the passkeys that the policy demands',
    ],
    ['run --agent acp --prompt "Tidy up the tests" -- gemini --acp', 'the same with Gemini CLI'],
  ],
} as const satisfies CommandLine

export type AgentArgs =
  | { name: 'scripted'; scenario: string }
  | { name: 'claude'; options: ClaudeAgentOptions; mcpConfig: string | undefined }
  | { name: 'ag-ui'; options: AgUiAgentOptions }
  | { name: 'codex'; options: CodexAgentOptions }
  | { name: 'eve'; options: EveAgentOptions }
  | { name: 'command'; command: string; args: string[] }
  | { name: 'acp'; options: AcpAgentOptions }

export type RunArgs = ReturnType<typeof parseRunArgs>

export function parseRunArgs(args: readonly string[], { isTerminal }: { isTerminal: boolean }) {
  const { values, words } = readCommandLine(RUN, args)
  const {
    agent: name = values.scenario === undefined ? 'command' : 'scripted',
    format = isTerminal ? 'text' : 'stream',
    isolation,
  } = values
  const promptWords = name === 'command' || name === 'acp' ? [] : words
  if (values.prompt !== undefined && promptWords.length > 0) throw usage('The prompt is given twice')
  if (isolation !== 'none' && format === 'text')
    throw usage('--isolation takes --format stream: a terminal is asked by the process that runs the agent')
  return {
    agent: agentWith(name, values, words),
    workdir: values.workdir,
    stateFolder: values['state-folder'],
    continues: values.continues ?? [],
    ...askingOf(values),
    format,
    screenReader: values['screen-reader'],
    isolation,
    prompt: values.prompt ?? promptWords.join(' '),
    policy: values.policy,
    inbox: values.inbox,
  }
}

type RunValues = Values<typeof OPTIONS>

/** The options that not every agent takes. */
const OWN_OPTIONS = {
  scripted: ['scenario'],
  claude: [
    'model',
    'system-prompt',
    'allowed-tools',
    'mcp-config',
    'resume',
    'defer-after-ms',
    'tickets',
    'unattended',
  ],
  'ag-ui': ['url'],
  codex: ['model', 'resume'],
  eve: ['url', 'resume'],
  command: [],
  acp: ['resume'],
} as const satisfies Record<AgentArgs['name'], readonly (keyof RunValues)[]>

function refuseOptionsOfOthers(name: AgentArgs['name'], values: RunValues): void {
  const own: readonly (keyof RunValues)[] = OWN_OPTIONS[name]
  const given = Object.values(OWN_OPTIONS)
    .flat()
    .find((option) => values[option] !== undefined && !own.includes(option))
  if (given === undefined) return
  const others = Object.entries<readonly string[]>(OWN_OPTIONS).filter(([, options]) =>
    options.includes(given),
  )
  throw usage(`--${given} is for --agent ${others.map(([other]) => other).join(' or ')}, not ${name}`)
}

function agentWith(name: AgentArgs['name'], values: RunValues, words: string[]): AgentArgs {
  refuseOptionsOfOthers(name, values)
  if (name === 'command') return programIn(words)
  if (name === 'acp') return acpAgent(values, words)
  if (name === 'claude') return { name, options: claudeOptions(values), mcpConfig: values['mcp-config'] }
  if (name === 'ag-ui')
    return { name, options: { url: addressIn(values), stateFolder: values['state-folder'] } }
  if (name === 'eve') return { name, options: { url: addressIn(values), resume: values.resume } }
  if (name === 'codex') return { name, options: { model: values.model, resume: values.resume } }
  if (values.scenario === undefined) throw usage('--scenario FILE is missing')
  return { name, scenario: values.scenario }
}

const claudeOptions = (values: RunValues): ClaudeAgentOptions => ({
  model: values.model,
  systemPrompt: values['system-prompt'],
  // A comma within parentheses belongs to a rule.
  allowedTools: values['allowed-tools']?.split(/,(?![^(]*\))/).map((rule) => rule.trim()),
  resume: values.resume,
  deferAfterMs: milliseconds('--defer-after-ms', values['defer-after-ms']),
  tickets: values.tickets,
  unattended: values.unattended,
})

function acpAgent({ prompt = '', resume }: RunValues, [command, ...args]: string[]): AgentArgs {
  if (command === undefined) throw usage('What is to run? Name a program that speaks ACP: -- gemini --acp')
  if (prompt.trim() === '') throw usage('What is it to do? Say it with --prompt TEXT')
  return { name: 'acp', options: { command, args, resume } }
}

function addressIn({ url }: RunValues): string {
  if (url === undefined || !URL.canParse(url)) throw usage('--url takes the address of the agent')
  return url
}

function programIn([command, ...args]: string[]): AgentArgs {
  if (command === undefined)
    throw usage('What is to run? Name a program, --agent claude with a prompt, or --scenario FILE')
  return { name: 'command', command, args }
}
