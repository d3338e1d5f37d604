import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { errorCode } from '@sandagent/core/internal'
import { findProgram, installedRunner, LocalSandbox, RUNNER } from '@sandagent/sdk/internal'
import { bad, check, type Finding, good, poor } from './finding.ts'

/** Agents that ask over MCP, by the names of their programs. */
const MCP_AGENTS = { claude: 'Claude Code', codex: 'Codex', gemini: 'Gemini CLI', opencode: 'opencode' }

/** Any of these signs Claude Code in. */
const CLAUDE_LOGINS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN']

/** Which agents are here, and whether a host finds the runner. Nobody needs all of them. */
export const checkAgents = async (): Promise<Finding[]> =>
  (
    await Promise.all([
      check('Runner', checkRunner),
      check('Claude agent', checkClaude),
      check('MCP agents', checkMcpAgents),
    ])
  ).flat()

/** Finds the runner as a host in the current folder does, and starts it as that host would. */
async function checkRunner() {
  // The variable NODE_PATH, which pnpm sets, is not for hosts.
  const beside = installedRunner([process.cwd()])
  const found = beside ?? (await onPath(RUNNER))
  if (found === null)
    return poor(
      'sandagent is neither installed in this folder nor on the PATH',
      'A host that starts agents here needs it: npm install sandagent. Or name it by `runner`.',
    )
  const complaint = await whyNotStarted(beside === null ? [found] : [process.execPath, beside])
  if (complaint !== null)
    return bad(
      `A host finds ${found}, and cannot start it. ${complaint}`,
      'npm install sandagent, in the folder of the host. Or name it by `runner`.',
    )
  const isForScripts = beside === null && isOfPackage(dirname(found))
  return good(
    `A host finds ${found}${isForScripts ? ', if npx or a script of package.json starts the host' : ''}`,
  )
}

/** Starts a runner in a new folder, isolated where that works, and tells what it complains of. */
async function whyNotStarted([command, ...args]: readonly [string, ...string[]]): Promise<string | null> {
  const workdir = await mkdtemp(join(tmpdir(), 'sandagent-doctor-'))
  try {
    const sandbox = new LocalSandbox({ workdir, onIsolation: () => {} })
    const child = await sandbox.spawn(command, [...args, '--version'])
    child.stdin.end()
    child.stdout.resume()
    const [complaints, { exitCode, error }] = await Promise.all([text(child.stderr), child.ended])
    if (error) throw error
    return exitCode === 0 ? null : complaints.trim() || `It ended with ${exitCode}`
  } catch (error) {
    return (error as Error).message
  } finally {
    await rm(workdir, { recursive: true, force: true })
  }
}

async function checkClaude() {
  try {
    await import('@anthropic-ai/claude-agent-sdk')
  } catch (error) {
    // One that is there and cannot be loaded is told as it fails.
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error
    return poor(
      '@anthropic-ai/claude-agent-sdk is not installed',
      '--agent claude needs it: npm install @anthropic-ai/claude-agent-sdk',
    )
  }
  const login = CLAUDE_LOGINS.find((name) => process.env[name])
  if (login !== undefined) return good(`It is installed, and ${login} signs it in`)
  const kept = join(process.env.CLAUDE_CONFIG_DIR ?? join(homedir(), '.claude'), '.credentials.json')
  if (existsSync(kept)) return good('It is installed, and somebody has signed in')
  return poor(
    'It is installed, and no login was found',
    `Sign in by "claude login", or set ${CLAUDE_LOGINS[0]}. On macOS, the login may be in the key chain.`,
  )
}

async function checkMcpAgents() {
  const found = await Promise.all(
    Object.entries(MCP_AGENTS).map(async ([program, name]) => ((await onPath(program)) ? [name] : [])),
  )
  const names = found.flat().join(', ')
  return good(names === '' ? 'None was found on the PATH' : `Found: ${names}`)
}

/** Whether a folder is on the PATH of the programs that npx and the scripts of a package.json start, and of no others. */
const isOfPackage = (folder: string): boolean => folder.endsWith(join('node_modules', '.bin'))

/** The path of a program. The folders of packages come last: npx puts them first. */
async function onPath(program: string): Promise<string | null> {
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .sort((one, other) => Number(isOfPackage(one)) - Number(isOfPackage(other)))
  const place = { path: folders.join(delimiter), folder: '.' }
  if (process.platform !== 'win32') return findProgram(program, place)
  return (await findProgram(`${program}.cmd`, place)) ?? findProgram(`${program}.exe`, place)
}
