import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { APPROVAL_OPTIONS } from '@sandagent/core/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { askingApproval } from './asking-approval.ts'

const [enter, tab, esc] = ['\r', '\t', '\u001b']
const [ctrlA, ctrlG, ctrlK, ctrlU] = ['\u0001', '\u0007', '\u000b', '\u0015']
const { allowOnce, deny } = APPROVAL_OPTIONS
const bash = (command: string, more = {}) => ({
  toolName: 'Bash',
  input: { command, ...more },
  editable: true as const,
})

/** An editor that does what the lines of a shell script do with the file `$1`. */
async function editorThat(script: string): Promise<NodeJS.ProcessEnv> {
  const path = join(await tempDir(), 'editor.sh')
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return { VISUAL: undefined, EDITOR: `sh '${path}'` }
}

describe('a call that may be edited, in a terminal', () => {
  it('runs with the command as it was changed, after the change was shown', async () => {
    const { seeing, decided } = await askingApproval(bash('npm test', { timeout: 5 }))
    await seeing(/c change it[\s\S]*Ctrl-C/, 'c')
    await seeing(/The command, as text:[\s\S]*npm test[\s\S]*Enter look at the change/, ' -- --run', enter)
    await seeing(
      /You change:\n│ +command:\n│ +- │ npm test\n│ +\+ │ npm test -- --run\n│\n│ What runs then:[\s\S]*timeout 5[\s\S]*1\. ○ Allow the changed call/,
      '1',
    )
    await seeing(/❯ 1\. ● Allow the changed call, once[\s\S]*Enter allow/, enter)
    expect(await decided()).toEqual({
      decision: allowOnce.value,
      input: { command: 'npm test -- --run', timeout: 5 },
    })
  })

  it('has no way to be edited where its asker cannot carry that', async () => {
    const { seeing, view, decided } = await askingApproval({ toolName: 'Bash', input: { command: 'ls' } })
    await seeing('Ctrl-C')
    expect(await view()).not.toContain('Change the call')
    await seeing('Ctrl-C', 'c')
    await seeing('Own words are no answer here', '2')
    await seeing('● Deny', enter)
    expect(await decided()).toEqual({ decision: deny.value })
  })

  it('says why its editor cannot be used where there is no place for its file', async () => {
    const env = await editorThat('echo')
    const { seeing, decided } = await askingApproval(bash('npm test'), {
      env: { ...env, TMPDIR: '/nowhere' },
    })
    await seeing(/c change it[\s\S]*Ctrl-C/, 'c')
    await seeing('Enter look at the change', ctrlG)
    await seeing(/Nothing was taken from the editor: ENOENT[\s\S]*Enter look at the change/, esc)
    await seeing(/1\. ○ Allow once/, '2')
    await seeing('● Deny', enter)
    expect(await decided()).toEqual({ decision: deny.value })
  })

  it('is not allowed by keys typed ahead, nor by Enter alone', async () => {
    const { seeing, decided } = await askingApproval(bash('npm test'))
    await seeing(/c change it[\s\S]*Ctrl-C/, 'c')
    await seeing('Enter look at the change', ' x', enter, enter, enter)
    await seeing('Nothing is marked yet', 'a')
    await seeing('A number picks', enter)
    await seeing('Nothing is marked yet', esc)
    await seeing('Enter look at the change', esc)
    await seeing(/1\. ○ Allow once/, '2')
    await seeing('● Deny', enter)
    expect(await decided()).toEqual({ decision: deny.value })
  })

  it('runs as its agent asked where the person goes back, and keeps their text', async () => {
    const { seeing, decided } = await askingApproval(bash('npm test'))
    await seeing(/c change it[\s\S]*Ctrl-C/, 'c')
    await seeing('Enter look at the change', enter)
    await seeing('Nothing is changed yet', '; ls', enter)
    await seeing('You change:', esc)
    await seeing('Enter look at the change', esc)
    await seeing(/1\. ○ Allow once/, 'c')
    await seeing(/npm test; ls[\s\S]*Enter look at the change/, esc)
    await seeing(/1\. ○ Allow once/, '1')
    await seeing(/● Allow once[\s\S]*Enter send/, enter)
    expect(await decided()).toEqual({ decision: allowOnce.value })
  })

  it('that ends meanwhile gives back what was typed', async () => {
    const { seeing, withdraw, ended } = await askingApproval(bash('npm test'))
    await seeing(/c change it[\s\S]*Ctrl-C/, 'c')
    await seeing('Enter look at the change', ' -- --run')
    await seeing('npm test -- --run')
    withdraw()
    await seeing(/The agent withdrew the question\.[\s\S]*You had entered:[\s\S]*npm test -- --run/)
    expect(await ended).toBe(3)
  })

  it('is JSON where its text has something out of sight, and takes no other shape', async () => {
    const { seeing, decided } = await askingApproval(bash('ls \u202egnp.exe\u001b[2J'))
    await seeing(/c change it[\s\S]*Ctrl-C/, 'c')
    await seeing(/as JSON:[\s\S]*"command": "ls \\u202egnp\.exe\\u001b\[2J"/, ctrlK, '["ls"]', enter)
    await seeing(/This must be an object/, ctrlA, ctrlK, '{"command": "ls"', enter)
    await seeing(/This is no JSON: [\s\S]*Ctrl-C/, '}', enter)
    await seeing(/- │ ls <U\+202E>gnp\.exe<U\+001B>\[2J\n│ +\+ │ ls\n[\s\S]*1 pick/, '1')
    await seeing('● Allow the changed call', enter)
    expect(await decided()).toEqual({ decision: allowOnce.value, input: { command: 'ls' } })
  })
})

describe('a call that may be edited, in plain lines', () => {
  it('is changed by /edit, shown, and allowed by /allow', async () => {
    const options = ['--screen-reader']
    const { seeing, decided } = await askingApproval(bash('npm test', { timeout: 5 }), { options, rows: 40 })
    await seeing(/\/edit changes the call before you allow it\.[\s\S]*\n> *$/, `/allow${enter}`)
    await seeing('/allow sends what /edit has shown', `/edit${enter}`)
    await seeing(/│ npm test\nType the whole command behind \/edit/, `/edit npm test${enter}`)
    await seeing('Nothing is changed yet', `/edit npm run build${enter}`)
    await seeing(
      /\+ │ npm run build[\s\S]*timeout 5[\s\S]*\/allow allows this changed call/,
      `/allow${enter}`,
    )
    expect(await decided()).toEqual({
      decision: allowOnce.value,
      input: { command: 'npm run build', timeout: 5 },
    })
  })
})

describe('the editor of a person', () => {
  it('edits the call, and what it made is shown before it is allowed', async () => {
    const env = await editorThat(`sed -i 's/test/run build/' "$1"`)
    const { seeing, decided } = await askingApproval(bash('npm test'), { env })
    await seeing(/c change it[\s\S]*Ctrl-C/, 'c')
    await seeing('Ctrl-G your editor', ctrlG)
    await seeing(/\+ │ npm run build[\s\S]*1 pick/, '1')
    await seeing(/● Allow the changed call/, enter)
    expect(await decided()).toEqual({ decision: allowOnce.value, input: { command: 'npm run build' } })
  })

  it('that fails, is missing, changes nothing, or writes no JSON leaves the form as it was', async () => {
    const env = await editorThat(`case "$(cat "$1")" in *first*) exit 3;; *"{"*) echo '{' > "$1";; esac`)
    const { seeing, decided } = await askingApproval(bash('npm test'), { env })
    await seeing(/c change it[\s\S]*Ctrl-C/, 'c')
    await seeing('Ctrl-G your editor', ctrlG)
    await seeing(/npm test\nThe editor changed nothing[\s\S]*Ctrl-G your editor/, ' first', ctrlG)
    await seeing(/npm test first\nThe editor ended with code 3[\s\S]*Ctrl-G your editor/)
    await seeing('Ctrl-G your editor', ctrlU, tab)
    await seeing(/"command": ""[\s\S]*Ctrl-G your editor/)
    await seeing(/as JSON:[\s\S]*Ctrl-G your editor/, ctrlG)
    await seeing(/\{\nThis is no JSON: [\s\S]*Ctrl-G your editor/, esc)
    await seeing(/1\. ○ Allow once/, '2')
    await seeing('● Deny', enter)
    expect(await decided()).toEqual({ decision: deny.value })
  })

  it('that is not there is named', async () => {
    const { seeing } = await askingApproval(bash('npm test'), { env: { VISUAL: 'no-such-editor -x' } })
    await seeing(/c change it[\s\S]*Ctrl-C/, 'c')
    await seeing('Ctrl-G your editor', ctrlG)
    await seeing(/no-such-editor cannot be started\. Set VISUAL or EDITOR/)
  })

  it('ends when the question does, and leaves no file', async () => {
    const folder = await tempDir()
    const env = { ...(await editorThat('echo "editing $1"; sleep 60')), TMPDIR: folder }
    const { seeing, withdraw, ended } = await askingApproval(bash('npm test'), { env })
    await seeing(/c change it[\s\S]*Ctrl-C/, 'c')
    await seeing('Ctrl-G your editor', ctrlG)
    await seeing(/editing .*text\.txt/)
    withdraw()
    await seeing('The agent withdrew the question')
    expect(await ended).toBe(3)
    expect(await readdir(folder)).toEqual([])
  })
})
