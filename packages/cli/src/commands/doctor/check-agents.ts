import { access, constants, mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { AskError } from '@sandagent/core'
import { LocalSandbox } from '@sandagent/sdk'
import type { Finding } from './finding.ts'

/** Agents that ask over MCP, by the names of their programs. */
const MCP_AGENTS = { claude: 'Claude Code', codex: 'Codex', gemini: 'Gemini CLI', opencode: 'opencode' }

const RUNNER = 'sandagent'

/** Any of these signs Claude Code in. */
const CLAUDE_LOGINS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN']

/** Which agents are here, and whether a host finds the runner. Nobody needs all of them. */
export const checkAgents = (): Promise<Finding[]> =>
  Promise.all([checkRunner(), checkClaude(), checkMcpAgents()])

/** Finds the runner as a host in the current folder does, and starts it as that host would. */
async function checkRunner(): Promise<Finding> {
  const about = 'Runner'
  const beside = await installedIn(process.cwd())
  const found = beside ?? (await onPath(RUNNER))
  if (found === null)
    return {
      about,
      state: 'poor',
      text: 'sandagent is neither installed in this folder nor on the PATH',
      hint: 'A host that starts agents here needs it: npm install sandagent. Or name it by `runner`.',
    }
  const complaint = await whyNotStarted(beside === null ? [found] : [process.execPath, beside])
  if (complaint !== null)
    return {
      about,
      state: 'bad',
      text: `A host finds ${found}, and cannot start it. ${complaint}`,
      hint: 'npm install sandagent, in the folder of the host. Or name it by `runner`.',
    }
  const npx =
    beside === null && isOfPackage(dirname(found))
      ? ', if npx or a script of package.json starts the host'
      : ''
  return { about, state: 'good', text: `A host finds ${found}${npx}` }
}

/** The runner that is installed in a folder or above it. The variable NODE_PATH, which pnpm sets, is not for hosts. */
async function installedIn(folder: string): Promise<string | null> {
  const path = join(folder, 'node_modules', RUNNER, 'dist/main.js')
  if (await canRead(path)) return path
  return dirname(folder) === folder ? null : installedIn(dirname(folder))
}

/** Starts a runner in a new folder, isolated where that works, and tells what it complains of. */
async function whyNotStarted([command, ...args]: readonly [string, ...string[]]): Promise<string | null> {
  const workdir = await mkdtemp(join(tmpdir(), 'sandagent-doctor-'))
  try {
    const child = await new LocalSandbox({ workdir, onIsolation: () => {} }).spawn(command, [
      ...args,
      '--version',
    ])
    child.stdin.end()
    child.stdout.resume()
    const [complaints, { exitCode, error }] = await Promise.all([text(child.stderr), child.ended])
    if (error) return error.message
    return exitCode === 0 ? null : complaints.trim() || `It ended with ${exitCode}`
  } catch (error) {
    if (error instanceof AskError) return error.message
    throw error
  } finally {
    await rm(workdir, { recursive: true, force: true })
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
  const said = there.length === 0 ? 'None was found on the PATH' : `Found: ${there.join(', ')}`
  return { about: 'MCP agents', state: 'good', text: said }
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
