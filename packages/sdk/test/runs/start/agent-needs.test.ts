import { describe, expect, it } from 'vitest'
import { agentNeeds } from '../../../src/runs/start/runner-environment.ts'

const environment = {
  PATH: '/bin',
  AWS_SECRET_ACCESS_KEY: 'secret',
  ANTHROPIC_API_KEY: 'key',
  CLAUDE_CODE_OAUTH_TOKEN: 'token',
  CLAUDE_CONFIG_DIR: '/home/somebody/.claude',
}

describe('what an agent needs of the host', () => {
  it('is nothing for most', () => {
    expect(agentNeeds('scripted', environment)).toEqual({ hosts: [], env: {} })
    expect(agentNeeds('command', environment)).toEqual({ hosts: [], env: {} })
  })

  it('is its API and its own variables for Claude Code, without its folder', () => {
    expect(agentNeeds('claude', environment)).toEqual({
      hosts: ['api.anthropic.com:443'],
      env: { ANTHROPIC_API_KEY: 'key', CLAUDE_CODE_OAUTH_TOKEN: 'token' },
    })
  })

  it.each([
    ['http://127.0.0.1:4711/v1', '127.0.0.1:4711'],
    ['http://gateway.example.com', 'gateway.example.com:80'],
    ['https://gateway.example.com/claude', 'gateway.example.com:443'],
  ])('is the API where it is, at %s', (url, host) => {
    expect(agentNeeds('claude', { ANTHROPIC_BASE_URL: url }).hosts).toEqual([host])
  })
})
