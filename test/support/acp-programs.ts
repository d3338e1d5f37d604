import { createRequire } from 'node:module'
import { vi } from 'vitest'
import { type AcpRun, startAcpProgram } from './acp.ts'
import { clientHome, type McpClient, mcpClients, opencodeBinary, programOf } from './mcp-clients.ts'
import { claudeEnvironment } from './models/claude-environment.ts'

const require = createRequire(import.meta.url)

const without = (text: string | undefined, server: string): string => {
  const { [server]: _, ...settings } = JSON.parse(text ?? '{}')
  return JSON.stringify(settings)
}

/** Real agents of ACP, as they come from npm. Their model is played, and they reach nothing beyond this machine. */
export const acpPrograms = {
  claude: {
    command: () => [
      process.execPath,
      programOf(require.resolve('@agentclientprotocol/claude-agent-acp/package.json'), 'claude-agent-acp'),
    ],
    // By its own default, a model reviews what it wants to do.
    files: () => ({ '.claude/settings.json': JSON.stringify({ permissions: { defaultMode: 'default' } }) }),
    // Where this is set, the adapter offers a mode that Claude Code refuses to root.
    env: (modelUrl, home) => ({ ...claudeEnvironment(home, modelUrl), IS_SANDBOX: undefined }),
  },
  codex: {
    command: () => [
      process.execPath,
      programOf(require.resolve('@agentclientprotocol/codex-acp/package.json'), 'codex-acp'),
    ],
    files: (modelUrl) => ({
      '.codex/config.toml': mcpClients.codex
        .files(modelUrl, ['', ''])
        ['.codex/config.toml'].replace(/\[mcp_servers[\s\S]*/, ''),
    }),
    // As above.
    env: (modelUrl, home) => ({
      ...mcpClients.codex.env(modelUrl, home),
      INITIAL_AGENT_MODE: 'workspace-write',
    }),
  },
  gemini: {
    command: () => [
      process.execPath,
      programOf(require.resolve('@google/gemini-cli/package.json'), 'gemini'),
      '-m',
      'gemini-2.5-flash',
      '--acp',
    ],
    files: (modelUrl) => ({
      '.gemini/settings.json': without(
        mcpClients.gemini.files(modelUrl, ['', ''])['.gemini/settings.json'],
        'mcpServers',
      ),
    }),
    env: (modelUrl) => mcpClients.gemini.env(modelUrl),
  },
  opencode: {
    command: () => [opencodeBinary(), 'acp'],
    files: (modelUrl) => ({
      'work/opencode.json': JSON.stringify({
        ...JSON.parse(without(mcpClients.opencode.files(modelUrl, [''])['work/opencode.json'], 'mcp')),
        permission: { bash: 'ask', edit: 'ask' },
      }),
    }),
    env: (modelUrl, home) => mcpClients.opencode.env(modelUrl, home),
  },
} satisfies Record<string, McpClient>

/** A run of one of them. Its environment is that of this process until the test ends. */
export async function startProgram(
  name: keyof typeof acpPrograms,
  api: { url: string; close(): Promise<void> },
): Promise<AcpRun> {
  const program: McpClient = acpPrograms[name]
  const { workdir, env } = await clientHome(program, api)
  for (const [key, value] of Object.entries(env)) vi.stubEnv(key, value)
  const [command, ...args] = program.command()
  return startAcpProgram(workdir, { command, args })
}
