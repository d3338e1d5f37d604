import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, chown, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { type Connection, commandSandbox, RemoteSandbox } from '@sandagent/remote'
import { expect, it, onTestFinished } from 'vitest'

const UPLOADED = fileURLToPath(new URL('../../packages/remote/dist/upload/sandagent.cjs', import.meta.url))

/** A home for the uploaded relay. */
const inHome = async (): Promise<[string, ...string[]]> => ['env', `HOME=${await tempDir()}`]

it('a relay of an unknown version is replaced by one that is uploaded', async () => {
  const started: string[] = []
  const home = await tempDir()
  const connect = ([command, ...args]: readonly [string, ...string[]]): Connection => {
    started.push(command)
    const child = spawn(command, args, {
      env: { ...process.env, HOME: home },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const closed = new Promise<undefined>((resolve) => child.once('exit', () => resolve(undefined)))
    return { stdin: child.stdin, stdout: child.stdout, closed }
  }
  const say = '{"sandagent":"relay","protocol":2,"version":"9.9.9","workdir":"/w"}'
  const relay = ['sh', '-c', `echo '${say}'; cat > /dev/null`, 'sh'] as const
  const sandbox = new RemoteSandbox({
    name: 'newer',
    workdir: join(home, 'w'),
    relay,
    connect,
    isolation: 'none',
  })
  onTestFinished(() => sandbox.close())
  expect(await sandbox.files.list('.')).toEqual([])
  expect(started).toEqual(['sh', 'node'])
})

it('the uploaded relay is not uploaded again, and a damaged one is replaced', async () => {
  const home = await tempDir()
  const bytes = async (): Promise<number> => {
    let count = 0
    const connect = ([command, ...args]: readonly [string, ...string[]]): Connection => {
      const child = spawn(command, args, {
        env: { ...process.env, HOME: home },
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      const write = child.stdin.write.bind(child.stdin)
      child.stdin.write = ((piece: string | Uint8Array) => {
        count += piece.length
        return write(piece)
      }) as typeof write
      const closed = new Promise<undefined>((resolve) => child.once('exit', () => resolve(undefined)))
      return { stdin: child.stdin, stdout: child.stdout, closed }
    }
    const sandbox = new RemoteSandbox({
      name: 'upload',
      workdir: join(home, 'w'),
      connect,
      isolation: 'none',
    })
    onTestFinished(() => sandbox.close())
    expect((await sandbox.files.list('.')).length).toBeLessThan(2)
    const place = '.cache/sandagent'
    const child = await sandbox.spawn('sh', ['-c', `ls "$HOME/${place}"/relay-*.cjs`])
    let printed = ''
    child.stderr.resume()
    child.stdout.on('data', (text: Buffer) => {
      printed += text
    })
    await child.ended
    sandbox.close()
    file = printed.trim()
    return count
  }
  let file = ''
  expect(await bytes()).toBeGreaterThan(100_000)
  expect(await bytes()).toBeLessThan(10_000)
  await writeFile(file, 'process.exit(0)')
  expect(await bytes()).toBeGreaterThan(100_000)
  expect(await bytes()).toBeLessThan(10_000)
})

it('without a home that can be written, the relay is stored among the temporary files', async () => {
  const folder = await tempDir()
  const sandbox = commandSandbox(['env', 'HOME=/dev/null', `TMPDIR=${folder}`], {
    workdir: join(folder, 'w'),
    isolation: 'none',
  })
  onTestFinished(() => sandbox.close())
  expect(await sandbox.files.list('.')).toEqual([])
  const [place] = (await readdir(folder)).filter((name) => name.startsWith('sandagent-'))
  expect(await readdir(join(folder, place ?? ''))).toContainEqual(
    expect.stringMatching(/^relay-[0-9a-f]{64}\.cjs$/),
  )
})

it.skipIf(process.getuid?.() !== 0)('a stored relay in a folder of another user is passed over', async () => {
  const folder = await tempDir()
  const place = join(folder, 'sandagent-0')
  const bytes = await readFile(UPLOADED)
  const hash = createHash('sha256').update(bytes).digest('hex')
  await mkdir(place)
  await writeFile(join(place, `relay-${hash}.cjs`), bytes)
  await chmod(folder, 0o755)
  await chown(place, 12_345, 12_345)
  const sandbox = commandSandbox(['env', 'HOME=/dev/null', `TMPDIR=${folder}`], {
    workdir: join(folder, 'w'),
    isolation: 'none',
  })
  onTestFinished(() => sandbox.close())
  await expect(sandbox.files.list('.')).rejects.toMatchObject({
    code: 'UNREACHABLE',
    message: expect.stringContaining('No folder is writable for the relay'),
  })
})

it('a sandbox without Node says so', async () => {
  const sandbox = commandSandbox(['env', 'PATH=/nowhere'], { workdir: '/tmp/nowhere' })
  onTestFinished(() => sandbox.close())
  await expect(sandbox.files.list('.')).rejects.toMatchObject({
    code: 'UNREACHABLE',
    message: expect.stringMatching(/env ended with 127.*Node\.js 20 or newer must be on the PATH/),
  })
})

it('a sandbox with an old Node says so', async () => {
  const folder = await tempDir()
  const old = join(folder, 'node')
  // The real one, which says that it is older.
  const preload = join(folder, 'older.cjs')
  await writeFile(
    preload,
    'Object.defineProperty(process, "versions", { value: { node: "18.19.0" } }); Object.defineProperty(process, "version", { value: "v18.19.0" })',
  )
  await writeFile(old, `#!/bin/sh\nexec ${process.execPath} --require ${preload} "$@"\n`)
  await chmod(old, 0o755)
  const sandbox = commandSandbox(await inHome(), { workdir: join(folder, 'w'), node: old })
  onTestFinished(() => sandbox.close())
  await expect(sandbox.files.list('.')).rejects.toMatchObject({
    code: 'UNREACHABLE',
    message: expect.stringContaining('Node.js v18.19.0 is too old in the sandbox: 20 or newer is needed'),
  })
})

it('a command that does not exist says so', async () => {
  const sandbox = commandSandbox(['no-such-command'], { workdir: '/tmp/nowhere' })
  onTestFinished(() => sandbox.close())
  await expect(sandbox.files.list('.')).rejects.toMatchObject({
    message: expect.stringMatching(/no-such-command cannot be started: .*ENOENT/),
  })
})

it('the host’s signing key does not come to the command', async () => {
  process.env.SANDAGENT_SIGNING_KEY = 'secret'
  onTestFinished(() => {
    delete process.env.SANDAGENT_SIGNING_KEY
  })
  const home = await tempDir()
  const sandbox = commandSandbox(
    ['sh', '-c', `echo "$SANDAGENT_SIGNING_KEY" > ${home}/key; HOME=${home} exec "$@"`, 'sh'],
    {
      workdir: join(home, 'w'),
      isolation: 'none',
    },
  )
  onTestFinished(() => sandbox.close())
  const child = await sandbox.spawn('cat', [`${home}/key`])
  child.stderr.resume()
  const [printed] = await Promise.all([child.stdout.toArray(), child.ended])
  expect(String(Buffer.concat(printed))).toBe('\n')
})

it('an upload removes relays that were not used for a month, and a start counts as use', async () => {
  const command = await inHome()
  const place = join(`${command[1]}`.slice('HOME='.length), '.cache/sandagent')
  await mkdir(place, { recursive: true })
  const before = new Date(Date.now() - 31 * 24 * 3600_000)
  const old = [`relay-${'0'.repeat(64)}.cjs`, 'killed.session']
  const kept = [`relay-${'1'.repeat(64)}.cjs`, 'notes.txt']
  for (const name of [...old, ...kept]) await writeFile(join(place, name), '')
  for (const name of [...old, 'notes.txt']) await utimes(join(place, name), before, before)
  const start = async (): Promise<void> => {
    const sandbox = commandSandbox(command, { workdir: join(place, '../../w'), isolation: 'none' })
    await sandbox.files.list('.')
    sandbox.close()
  }
  await start()
  const names = await readdir(place)
  expect(names).toEqual(expect.arrayContaining(kept))
  expect(names).not.toEqual(expect.arrayContaining([old[0]]))
  expect(names).not.toEqual(expect.arrayContaining([old[1]]))

  const hash = createHash('sha256')
    .update(await readFile(UPLOADED))
    .digest('hex')
  const file = join(place, `relay-${hash}.cjs`)
  await utimes(file, before, before)
  await start()
  expect((await stat(file)).mtimeMs).toBeGreaterThan(before.getTime())
})
