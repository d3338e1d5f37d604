import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { loadSigningKeys } from '../../../src/index.ts'
import { codeFolders } from '../../../src/sandbox/isolation/code-folders.ts'
import { all, canIsolate, isolatedSandbox, outcomesOf, printedBy } from '../../support/isolated.ts'

/** A file of the host's, beside the workdirs, removed after the test. */
async function hostFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandagent-host-'))
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 10 }))
  await writeFile(join(folder, 'key'), 'secret')
  return join(folder, 'key')
}

describe.skipIf(!canIsolate)('an isolated program', () => {
  it('works in the workdir, and leaves there what it wrote', async () => {
    const sandbox = await isolatedSandbox()
    const script = 'mkdir a && echo hello >a/b && ln -s b a/c && mv a/b a/d && pwd && cat a/d'
    expect(await printedBy(sandbox, script)).toBe(`${sandbox.workdir}\nhello\n`)
    expect(await readFile(join(sandbox.workdir, 'a/d'), 'utf8')).toBe('hello\n')
  })

  it('has the state folder that its sandbox names, and cannot write what the host keeps there', async () => {
    const sandbox = await isolatedSandbox({ stateFolder: '.bunny-agent' })
    await sandbox.files.writeAtomic('.bunny-agent/approvals/a.json', '{}')
    const commands = [
      'echo 1 >.bunny-agent/approvals/a.json',
      'mkdir .bunny-agent/runs/x',
      'mv .bunny-agent x',
      'rm -rf .bunny-agent/questions',
    ]
    expect(await outcomesOf(sandbox, commands)).toEqual(all(commands, false))
    expect(await printedBy(sandbox, 'echo 1 >.bunny-agent/questions/q.json && echo $HOME')).toBe(
      `${sandbox.workdir}/.bunny-agent/home\n`,
    )
    expect(existsSync(join(sandbox.workdir, '.sandagent'))).toBe(false)
  })

  it('cannot write, move or remove what the host keeps in the workdir', async () => {
    const sandbox = await isolatedSandbox()
    await sandbox.files.writeAtomic('.sandagent/approvals/a.json', '{}')
    await sandbox.files.writeAtomic('.sandagent/runs/r/1/run.json', '{}')
    const commands = [
      'echo 1 >.sandagent/approvals/b.json',
      'echo 1 >.sandagent/approvals/a.json',
      'echo 1 >>.sandagent/runs/r/1/run.json',
      'mkdir .sandagent/runs/x',
      'rm .sandagent/approvals/a.json',
      'chmod 777 .sandagent/approvals',
      'touch .sandagent/approvals/a.json',
      'mv .sandagent x',
      'mv .sandagent/approvals x',
      'mv .sandagent/runs x',
      'mv .sandagent/questions x',
      'rm -rf .sandagent/questions',
      'ln .sandagent/approvals/a.json linked',
      'umount .sandagent/approvals',
      'mount -o remount,rw .sandagent/approvals',
      'unshare -rm true',
    ]
    expect(await outcomesOf(sandbox, commands)).toEqual(all(commands, false))
    expect(await sandbox.files.read('.sandagent/approvals/a.json')).toBe('{}')
    expect(await sandbox.files.list('.sandagent/approvals')).toEqual(['a.json'])
    expect(await sandbox.files.list('.sandagent/runs')).toEqual(['r'])
    expect(await outcomesOf(sandbox, ['echo 1 >.sandagent/questions/q.json'])).toEqual({
      'echo 1 >.sandagent/questions/q.json': true,
    })
  })

  it('sees no files of the host but those of the system, and those that it was given', async () => {
    const key = await hostFile()
    const given = await hostFile()
    const other = await isolatedSandbox()
    await other.files.writeAtomic('notes', 'of another run')
    const sandbox = await isolatedSandbox({ readable: [given] })
    const hidden = [
      `cat ${key}`,
      `ls ${dirname(key)}`,
      `cat ${other.workdir}/notes`,
      `ls -A ${homedir()} | grep .`,
      'cat /etc/shadow',
      'find /etc /usr/local/etc -type f ! -perm -o=r | grep .',
      'ls -A /var | grep .',
      `ls /proc/${process.pid}/fd`,
      'ls /proc/self/fd/9',
    ]
    expect(await outcomesOf(sandbox, hidden)).toEqual(all(hidden, false))
    expect(await printedBy(sandbox, `cat ${given}`)).toBe('secret')
  })

  it('sees no key of the host’s, also where it is in a folder that may be read', async () => {
    const config = dirname(await hostFile())
    vi.stubEnv('XDG_CONFIG_HOME', config)
    onTestFinished(() => void vi.unstubAllEnvs())
    await loadSigningKeys({ create: true })
    const sandbox = await isolatedSandbox({ readable: [config] })
    expect(
      await outcomesOf(sandbox, [`cat ${config}/key`, `cat ${config}/sandagent/signing-key.json`]),
    ).toEqual({
      [`cat ${config}/key`]: true,
      [`cat ${config}/sandagent/signing-key.json`]: false,
    })
  })

  it('sees of the place where Node is installed the programs and their libraries alone', async () => {
    const prefix = dirname(await hostFile())
    for (const name of ['bin', 'lib', 'share']) await mkdir(join(prefix, name))
    await copyFile(process.execPath, join(prefix, 'bin/node'))
    for (const name of ['lib', 'share']) await writeFile(join(prefix, name, 'f'), name)
    const { workdir } = await isolatedSandbox()
    const script = fileURLToPath(new URL('../../fixtures/report-isolation.mjs', import.meta.url))
    const look = `cat ${prefix}/lib/f; cat ${prefix}/share/f ${prefix}/key 2>/dev/null`
    const { stdout } = await execa(join(prefix, 'bin/node'), [script, workdir, 'strict', 'sh', '-c', look])
    expect(JSON.parse(stdout).printed).toBe('lib')
  })

  it('writes into no folder that the sandbox runtime shares among all sandboxes', async () => {
    // It stays: other tests start programs at the same time, and one that has seen it needs it.
    await mkdir('/tmp/claude', { recursive: true })
    const places = ['/tmp/claude', join(homedir(), '.npm/_logs'), join(homedir(), '.claude/debug')].filter(
      existsSync,
    )
    const sandbox = await isolatedSandbox({ readable: [homedir()] })
    await outcomesOf(
      sandbox,
      places.map((place) => `touch ${place}/planted`),
    )
    for (const place of places) expect(await readdir(place), place).not.toContain('planted')
  })

  it('changes nothing outside, neither the code that runs it nor what it was given to read', async () => {
    const given = await hostFile()
    const sandbox = await isolatedSandbox({ readable: [given] })
    const places = ['/etc', '/usr/bin', dirname(given), '/', ...codeFolders()]
    // What is hidden is an empty folder in its place, of which nothing is left.
    await outcomesOf(
      sandbox,
      [...places, homedir(), '/tmp', '/var'].map((place) => `touch ${place}/planted`),
    )
    await outcomesOf(sandbox, [`echo 1 >${given}`, `rm -f ${given}`])
    const planted = [...places, homedir(), '/tmp', '/var'].map((place) => join(place, 'planted'))
    await Promise.all(planted.map((path) => expect(readFile(path)).rejects.toThrow()))
    expect(await readFile(given, 'utf8')).toBe('secret')
  })

  it('is kept in by no program that it can replace, even where the host’s PATH leads into the workdir', async () => {
    const outside = dirname(await hostFile())
    const sandbox = await isolatedSandbox()
    onTestFinished(() => void vi.unstubAllEnvs())
    vi.stubEnv('PATH', `${sandbox.workdir}/bin:bin:${process.env.PATH}`)
    const env = { PATH: '/usr/bin:/bin' }
    const plant = `for name in sh bwrap rg socat which; do
      printf '#!/bin/sh\\ntouch ${outside}/planted\\n' >bin/$name && chmod +x bin/$name; done`
    await printedBy(sandbox, `mkdir bin; ${plant}`, { env })
    for (const other of [sandbox, await isolatedSandbox()])
      expect(await printedBy(other, 'echo kept in', { env })).toBe('kept in\n')
    expect(await readdir(outside)).toEqual(['key'])
  })

  it('starts in a workdir that holds the packages too, and changes nothing there', async () => {
    const { workdir } = await isolatedSandbox()
    const own = fileURLToPath(new URL('../../../../', import.meta.url))
    for (const name of ['core', 'files', 'sdk'])
      for (const part of ['package.json', 'dist', 'node_modules'])
        await cp(join(own, name, part), join(workdir, 'web/packages', name, part), {
          recursive: true,
          verbatimSymlinks: true,
        })
    await symlink(join(own, '../node_modules'), join(workdir, 'web/node_modules'))
    const sdk = join(workdir, 'web/packages/sdk/dist')
    const script = `import { LocalSandbox } from '${sdk}/index.js'
      const readable = ['${join(own, '../node_modules')}']
      const sandbox = new LocalSandbox({ workdir: '${workdir}', isolation: 'strict', readable, onIsolation() {} })
      const commands = ['touch web/packages/x', 'rm ${sdk}/index.js', 'mv web/packages x', 'mv web x', 'touch web/y']
      for (const command of commands) {
        const { stdin, stdout, stderr, ended } = await sandbox.spawn('sh', ['-c', command])
        stdin.end(), stdout.resume(), stderr.resume()
        console.log((await ended).exitCode === 0)
      }`
    const { stdout } = await execa(process.execPath, ['--input-type=module', '--eval', script])
    expect(stdout.split('\n')).toEqual(['false', 'false', 'false', 'false', 'true'])
  })

  it('has a folder for temporary files of which nothing is left, and a home in the workdir', async () => {
    const sandbox = await isolatedSandbox()
    const script =
      'echo 1 >"$TMPDIR/kept" && cat "$TMPDIR/kept" && echo 2 >"$HOME/session" && echo "$TMPDIR/kept"'
    const [, path] = (await printedBy(sandbox, script)).split('\n')
    await expect(readFile(path as string)).rejects.toThrow()
    expect(await outcomesOf(sandbox, ['cat "$TMPDIR/kept"', 'cat "$HOME/session"'])).toEqual({
      'cat "$TMPDIR/kept"': false,
      'cat "$HOME/session"': true,
    })
  })

  it('gets of the environment only what tells where programs are and how to write, and what it is given', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
    vi.stubEnv('LC_TIME', 'C')
    onTestFinished(() => void vi.unstubAllEnvs())
    const env = { GREETING: `it's "$HOME" \\ ü\n`, TERM: undefined, NODE_OPTIONS: '--no-warnings' }
    const sandbox = await isolatedSandbox()
    const names = (
      await printedBy(sandbox, "env -0 | tr '\\n' ' ' | tr '\\0' '\\n' | cut -d= -f1", { env })
    ).split('\n')
    expect(names).toEqual(expect.arrayContaining(['PATH', 'HOME', 'TMPDIR', 'LC_TIME', 'GREETING']))
    expect(names.join(' ')).not.toMatch(/AWS|TERM|npm_|VITEST/)
    expect(await printedBy(sandbox, 'printf %s "$GREETING"', { env })).toBe(env.GREETING)
  })

  it('opens no setting of the kernel or of its devices for writing, whoever the host runs as', async () => {
    const places = ['acpi', 'bus', 'driver', 'fs', 'irq', 'mtrr', 'slabinfo', 'sys'].map(
      (name) => `/proc/${name}`,
    )
    const script = `find ${places.join(' ')} -type f 2>/dev/null | while read -r path; do
      ( : >>"$path" ) 2>/dev/null && echo "$path"; done; echo end`
    expect(await printedBy(await isolatedSandbox(), script)).toBe('end\n')
    expect(await printedBy(await isolatedSandbox(), 'cat /proc/sys/kernel/core_pattern')).not.toBe('')
  })

  it('shares no memory with programs outside', async () => {
    const outside = await isolatedSandbox({ isolation: 'none' })
    const id = /\d+/.exec(await printedBy(outside, 'ipcmk --shmem 1000'))?.[0]
    onTestFinished(async () => void (await printedBy(outside, `ipcrm --shmem-id ${id}`)))
    expect(await printedBy(outside, 'ipcs --shmems')).toContain(` ${id} `)
    expect(await printedBy(await isolatedSandbox(), 'ipcs --shmems')).not.toContain(` ${id} `)
  })

  it('cannot leave programs behind for a person who uses git in the workdir', async () => {
    const sandbox = await isolatedSandbox()
    const { workdir } = sandbox
    await mkdir(join(workdir, '.git/hooks'), { recursive: true })
    await writeFile(join(workdir, '.git/config'), '')
    const commands = [
      'touch .git/hooks/post-commit',
      'echo x >>.git/config',
      'mv .git x',
      'rm -rf .git/hooks',
    ]
    expect(await outcomesOf(sandbox, commands)).toEqual(all(commands, false))
    expect(await outcomesOf(sandbox, ['touch .git/HEAD'])).toEqual({ 'touch .git/HEAD': true })
  })

  it('starts only where nothing else is in the place of the folders of questions and answers', async () => {
    for (const place of ['.sandagent', '.sandagent/approvals', '.sandagent/questions', '.sandagent/home']) {
      const sandbox = await isolatedSandbox()
      const { workdir } = sandbox
      await mkdir(dirname(join(workdir, place)), { recursive: true })
      await printedBy(sandbox, 'true').catch(() => {})
      await rm(join(workdir, place), { recursive: true })
      await writeFile(join(workdir, place), '')
      await expect(sandbox.spawn('true'), place).rejects.toMatchObject({ code: 'UNSAFE_PATH' })
    }
  })
})
