import { access, constants } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { Finding } from './finding.ts'

/** Agents that ask over MCP, by the names of their programs. */
const MCP_AGENTS = { claude: 'Claude Code', codex: 'Codex', gemini: 'Gemini CLI', opencode: 'opencode' }

/** Any of these signs Claude Code in. */
const CLAUDE_LOGINS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN']

/** Which agents are here, and whether a host finds the runner. Nobody needs all of them. */
export const checkAgents = (): Promise<Finding[]> =>
  Promise.all([checkRunner(), checkClaude(), checkMcpAgents()])

async function checkRunner(): Promise<Finding> {
  const found = await onPath('sandagent')
  if (found !== null) {
    const text = isOfPackage(dirname(found))
      ? `A host finds ${found}, if npx or a script of package.json starts the host`
      : 'A host finds sandagent on the PATH'
    return { about: 'Runner', state: 'good', text }
  }
  return {
    about: 'Runner',
    state: 'poor',
    text: 'sandagent is not on the PATH',
    hint: 'A host that starts agents here needs it: npm install sandagent, and start the host by npx. Or name it by `runner`.',
  }
}

async function checkClaude(): Promise<Finding> {
  const about = 'Claude agent'
  try {
    await import('@anthropic-ai/claude-agent-sdk')
  } catch {
    return {
      about,
      state: 'poor',
      text: '@anthropic-ai/claude-agent-sdk is not installed',
      hint: '--agent claude needs it: npm install @anthropic-ai/claude-agent-sdk',
    }
  }
  const login = CLAUDE_LOGINS.find((name) => process.env[name])
  if (login !== undefined) return { about, state: 'good', text: `It is installed, and ${login} signs it in` }
  const kept = join(process.env.CLAUDE_CONFIG_DIR ?? join(homedir(), '.claude'), '.credentials.json')
  if (await canRead(kept))
    return { about, state: 'good', text: 'It is installed, and somebody has signed in' }
  return {
    about,
    state: 'poor',
    text: 'It is installed, and no login was found',
    hint: `Sign in by "claude login", or set ${CLAUDE_LOGINS[0]}. On macOS, the login may be in the key chain.`,
  }
}

async function checkMcpAgents(): Promise<Finding> {
  const names = Object.entries(MCP_AGENTS)
  const found = await Promise.all(
    names.map(async ([program, name]) => ((await onPath(program)) === null ? [] : [name])),
  )
  const there = found.flat()
  const text = there.length === 0 ? 'None was found on the PATH' : `Found: ${there.join(', ')}`
  return { about: 'MCP agents', state: 'good', text }
}

/** Whether a folder is on the PATH of the programs that npx and the scripts of a package.json start, and of no others. */
const isOfPackage = (folder: string): boolean => folder.endsWith(join('node_modules', '.bin'))

/** The path of a program. The folders of packages come last: npx puts them first. */
async function onPath(program: string): Promise<string | null> {
  const names = process.platform === 'win32' ? [`${program}.cmd`, `${program}.exe`] : [program]
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .sort((one, other) => Number(isOfPackage(one)) - Number(isOfPackage(other)))
  for (const folder of folders)
    for (const name of names) if (await canUse(join(folder, name), constants.X_OK)) return join(folder, name)
  return null
}

const canRead = (path: string): Promise<boolean> => canUse(path, constants.R_OK)

const canUse = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  )
