// The programs that suites need besides Node. As root on Debian they are installed; elsewhere one line tells what is left out.

import { existsSync, readFileSync } from 'node:fs'
import { findCommand } from './find-command.mjs'
import { run } from './run.mjs'

const ISOLATION = 'the tests of isolated programs'

/** One line per part that a suite uses at present; `package` is Debian's name for it. */
const systemParts = [
  { part: 'Chromium', command: 'chromium', package: 'chromium', usedBy: 'tests in a browser' },
  {
    part: 'Chromium’s headless shell',
    command: 'chromium-headless-shell',
    package: 'chromium-headless-shell',
    usedBy: 'the fast way to test in a browser',
  },
  { part: 'Firefox', command: 'firefox-esr', package: 'firefox-esr', usedBy: 'tests in Firefox' },
  {
    part: 'WebKitGTK',
    command: 'WebKitWebDriver',
    package: 'webkit2gtk-driver',
    usedBy: 'tests in WebKitGTK',
  },
  { part: 'Xvfb', command: 'Xvfb', package: 'xvfb', usedBy: 'tests in WebKitGTK' },
  { part: 'tmux', command: 'tmux', package: 'tmux', usedBy: 'the tests in a terminal that replies' },
  { part: 'bubblewrap', command: 'bwrap', package: 'bubblewrap', usedBy: ISOLATION },
  { part: 'socat', command: 'socat', package: 'socat', usedBy: ISOLATION },
  { part: 'ripgrep', command: 'rg', package: 'ripgrep', usedBy: ISOLATION },
  { part: 'strace', command: 'strace', package: 'strace', usedBy: 'the tests of faults at system calls' },
  { part: 'sshd', command: 'sshd', package: 'openssh-server', usedBy: 'the tests over SSH' },
  { part: 'ssh', command: 'ssh', package: 'openssh-client', usedBy: 'the tests over SSH' },
  { part: 'Postgres', command: 'initdb', package: 'postgresql', usedBy: 'the tests with Postgres' },
  { part: 'PgBouncer', command: 'pgbouncer', package: 'pgbouncer', usedBy: 'the tests of its pooler' },
  { part: 'NATS', command: 'nats-server', package: 'nats-server', usedBy: 'the tests with NATS' },
  { part: 'nginx', command: 'nginx', package: 'nginx-light', usedBy: 'the test behind a reverse proxy' },
  { part: 'systemd', command: 'systemd-analyze', package: 'systemd', usedBy: 'the test of its unit' },
  { part: 'Python', command: 'python3', package: 'python3', usedBy: 'the test of the Python example' },
]

if (missingParts().length > 0 && canUseApt()) await installWithApt(missingParts().map((part) => part.package))

for (const { part, command, package: name, usedBy } of missingParts()) {
  console.error(
    `Skipping ${usedBy}: ${part} is missing (no "${command}" in PATH; on Debian: apt-get install ${name})`,
  )
}
if (missingParts().length > 0 && process.env.CI) process.exitCode = 1

function missingParts() {
  return systemParts.filter(({ command }) => findCommand(command) === undefined)
}

function canUseApt() {
  const release = '/etc/os-release'
  const isDebian = existsSync(release) && /^ID(_LIKE)?=.*debian/m.test(readFileSync(release, 'utf8'))
  return isDebian && process.getuid?.() === 0 && findCommand('apt-get') !== undefined
}

/** @param {string[]} packages */
async function installWithApt(packages) {
  console.log(`Installing ${packages.join(', ')} with apt-get…`)
  const options = { env: { DEBIAN_FRONTEND: 'noninteractive' }, quiet: true }
  const updated = await run('apt-get', ['update'], options)
  if (updated === 0)
    await run('apt-get', ['install', '--yes', '--no-install-recommends', ...packages], options)
}
