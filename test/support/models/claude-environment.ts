/** What Claude Code is told by its environment in tests: a home of its own, and the model that a test plays. */
export const claudeEnvironment = (home: string, modelUrl: string): Record<string, string> => ({
  HOME: home,
  CLAUDE_CONFIG_DIR: `${home}/.claude`,
  ANTHROPIC_BASE_URL: modelUrl,
  ANTHROPIC_API_KEY: 'none',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  // A busy machine starts MCP servers late.
  MCP_TIMEOUT: '60000',
  MCP_CONNECT_TIMEOUT_MS: '60000',
})
