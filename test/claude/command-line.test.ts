import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { type CommandRun, sandagent, sessionIn } from '../support/models/claude-command.ts'
import { createClaudeWorkspace } from '../support/models/claude-workspace.ts'
import { call, text } from '../support/models/messages-api.ts'

const ask = () =>
  call('AskUserQuestion', {
    questions: [
      {
        question: 'Which?',
        header: 'Choice',
        options: ['A', 'B'].map((label) => ({ label, description: `About ${label}` })),
        multiSelect: false,
      },
    ],
  })

describe('sandagent run --agent claude', () => {
  it('asks, works and ends', async () => {
    const asked = ask()
    const bash = call('Bash', { command: 'touch a.txt', description: 'Make a file' })
    const claude = await createClaudeWorkspace([[asked], [bash], [text('Made.')]])
    const run = sandagent(
      claude,
      '--system-prompt',
      'You make files',
      '--allowed-tools',
      'Bash',
      '--',
      'Make',
      'one',
    )
    await claude.answer(asked.id, { answers: { 'Which?': 'A' } })
    const { exitCode, stdout, stderr } = await run.ended
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout.trimEnd().split('\n\n').at(-1)).toBe('data: [DONE]')
    expect(await readdir(claude.sandbox.workdir)).toContain('a.txt')
    expect(JSON.stringify(claude.api.requests[0]?.system)).toContain('You make files')
    expect(JSON.stringify(claude.api.requests[0]?.messages)).toContain('Make one')
  })

  it('ends while its question stays open, and goes on with the answer', async () => {
    const asked = ask()
    const claude = await createClaudeWorkspace([[asked]])
    const first = await sandagent(claude, '--defer-after-ms', '50', '--', 'Go').ended
    expect(first).toMatchObject({ exitCode: 0, stderr: '' })
    await claude.answer(asked.id, { answers: { 'Which?': 'B' } })
    const second = await sandagent(claude, '--resume', sessionIn(first.stdout)).ended
    expect(second).toMatchObject({ exitCode: 0, stderr: '' })
    expect(claude.api.resultOf(asked.id)?.text).toContain('"Which?"="B"')
  })

  it('withdraws its question when it is told to stop', async () => {
    const asked = ask()
    const claude = await createClaudeWorkspace([[asked]])
    const run = sandagent(claude, '--', 'Go')
    await claude.asked(asked.id)
    run.child.kill('SIGTERM')
    expect(await run.ended).toMatchObject({ exitCode: 143 })
    expect(await claude.record(asked.id)).toMatchObject({ state: 'aborted' })
  })

  it.each([
    ['alone', ({ child }: CommandRun) => void child.kill('SIGKILL'), 'interrupted by user'],
    ['with all its processes', ({ kill }: CommandRun) => kill(), 'Which?'],
  ])(
    'is killed %s, and the next run takes the answer given meanwhile without asking again',
    async (_, kill, noted) => {
      const asked = ask()
      const claude = await createClaudeWorkspace([[text('Well.'), asked], [text('Fine.')]])
      const run = sandagent(claude, '--', 'Go')
      const record = await claude.asked(asked.id)
      // The binary writes its transcript a moment later, and notes that it lost its runner.
      if (noted === 'Which?') await claude.transcriptHas(noted)
      kill(run)
      await claude.transcriptHas(noted)
      const { signal, stdout } = await run.ended
      expect(signal).toBe('SIGKILL')
      expect(await claude.record(asked.id)).toEqual(record)

      await claude.answer(asked.id, { answers: { 'Which?': 'B' } })
      const next = await sandagent(claude, '--resume', sessionIn(stdout)).ended
      expect(next).toMatchObject({ exitCode: 0, stderr: '' })
      expect(next.stdout).toContain('"status":"answered"')
      expect(await claude.record(asked.id)).toMatchObject({ state: 'answered', nonce: record.nonce })
      expect(claude.api.requests).toHaveLength(2)
      expect(claude.api.lastPrompt()).toBe(
        'The session broke off while you waited for the user; nothing was rejected.\n\nThe user answered:\n- "Which?": "B"',
      )
    },
  )

  it('says what is missing', async () => {
    const claude = await createClaudeWorkspace([])
    const { exitCode, stderr } = await sandagent(claude).ended
    expect(exitCode).toBe(2)
    expect(stderr).toContain('A prompt is missing')
  })
})
