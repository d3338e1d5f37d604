import { describe, expect, it } from 'vitest'
import { comeBackCommand } from '../../src/terminal/come-back.ts'

describe('the command that comes back to a question', () => {
  it('names the question and its folder', () => {
    expect(comeBackCommand('toolu_01:a', { hostFolder: '/tmp/my project' })).toBe(
      "sandagent answer toolu_01:a --workdir '/tmp/my project'",
    )
  })

  it('quotes what a shell would act on', () => {
    expect(comeBackCommand("$(reboot)'; ls", {})).toBe("sandagent answer '$(reboot)'\\''; ls'")
  })

  it.each(['--workdir=/', 'a\u001b[2Jb', 'a\nb', 'x'.repeat(500)])('leaves the id %j out', (id) => {
    expect(comeBackCommand(id, {})).toBe('sandagent answer')
  })
})
