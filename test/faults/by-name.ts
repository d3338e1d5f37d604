/** A test of a fault: its file, and its name as it stands there. */
interface FaultTest {
  file: string
  name: string
}

const test = (file: string, name: string): FaultTest => ({ file, name })

const DISK_ERRORS = test(
  'test/faults/disk-errors.test.ts',
  'loses no acknowledged answer to EIO or to a quota, and leaves nothing that blocks another host',
)
const SILENT_WATCH = test(
  'packages/files/test/watch/directory-watch.test.ts',
  'finds every change by polling, also one of the same length in place',
)
const REFUSED_WATCH = test(
  'packages/files/test/watch/refused-watch.test.ts',
  'goes on polling with one warning when the system refuses to watch with %s',
)

/**
 * What can go wrong around an answer, and the tests of `npm test` for it. The slow tests and `lab/torture/` do more with the
 * same faults: at each system call, many at once, at random.
 */
export const FAULTS: Record<string, readonly FaultTest[]> = {
  'kill -9 of the host': [
    test('test/runs/delivery.test.ts', 'arrives once after a dead network and a killed server'),
    test(
      'test/runs/crashes.test.ts',
      'of the web server is survived: the draft is there, and the same runner gets the answer',
    ),
    test(
      'test/runs/killed-hosts.test.ts',
      'a host that is killed while it starts a run leaves no program that nobody lists, and no work done twice',
    ),
  ],
  'kill -9 of the runner': [
    test(
      'test/runs/asking-process.test.ts',
      'tells of a question whose process was killed, and the next process takes up its answer',
    ),
  ],
  'kill -9 of the agent': [
    test(
      'test/claude/command-line.test.ts',
      'is killed %s, and the next run takes the answer given meanwhile without asking again',
    ),
    test('packages/sdk/test/runs/stop-run.test.ts', 'kills what a crashed runner left behind'),
  ],
  'kill -9 of the relay': [
    test('test/remote/cut-answers.test.ts', 'an answer is stored once, wherever the connection is cut'),
  ],
  'kill -9 of the MCP client': [test('test/mcp/waiting.test.ts', 'withdraws the question and ends')],
  'restart in any order': [
    test(
      'test/faults/processes.test.ts',
      'reaches the agent, once, in whatever order its processes are killed: %s',
    ),
  ],
  '50 submitters in 4 processes': [
    test('test/faults/processes.test.ts', 'are told who won, all the same, and the agent gets that answer'),
  ],
  'disk full': [
    test(
      'test/files/full-disk.test.ts',
      'an answer that does not fit is not acknowledged, and is delivered once there is space',
    ),
    test(
      'test/files/full-disk.test.ts',
      'the agent gets an answer whose receipt does not fit, and the receipt is written once there is space',
    ),
  ],
  quota: [DISK_ERRORS],
  'read-only disk': [
    test('test/faults/mounts.test.ts', 'takes no answer, and takes it once it can be written again'),
  ],
  'permission lost': [
    test('test/faults/mounts.test.ts', 'acknowledges no answer, and stores it once it may'),
  ],
  'host and runner of different users': [
    test(
      'test/faults/other-users.test.ts',
      'reaches the agent, who can read it and not write it, if the host is root',
    ),
    test(
      'test/faults/other-users.test.ts',
      'is refused with WRONG_USER, and nothing is stored, if its agent could not read it',
    ),
    test('test/faults/other-users.test.ts', 'can be read and answered by the user of the workdir'),
  ],
  EIO: [DISK_ERRORS],
  EMFILE: [
    test(
      'test/files/no-descriptors.test.ts',
      'a host without file descriptors refuses an answer for the moment, and stores it for the question once it can',
    ),
    test(
      'test/files/many-at-once.test.ts',
      'a process with 256 descriptors asks 500 questions at once, lists them, and gets all answers',
    ),
  ],
  'slow sync': [
    test(
      'packages/files/test/channel/slow-sync.test.ts',
      'a disk that does not answer keeps some threads waiting, and no reader',
    ),
    test('test/files/closing-race.test.ts', 'a deadline, with slow disks'),
  ],
  'a slow host beside another one': [
    ...[
      'bring the agent the final answer that the slow one stores, whatever others draft meanwhile',
      'keep the drafts of two people',
      'give the agent the last click',
    ].map((name) => test('test/faults/two-hosts.test.ts', name)),
  ],
  'folder deleted and made again': [
    test(
      'packages/files/test/watch/directory-watch.test.ts',
      'goes on after its directory was deleted and made again',
    ),
    test(
      'test/faults/mounts.test.ts',
      'may lose its folder of answers: the next answer makes it again, and is delivered',
    ),
  ],
  'folder moved': [
    test(
      'test/faults/mounts.test.ts',
      'may be moved away and back: the answer is refused meanwhile, and delivered then',
    ),
    test('packages/sdk/test/answers/unreachable.test.ts', 'the workdir was moved, and an empty one is there'),
  ],
  'records removed by others': [
    test('test/faults/lost-records.test.ts', 'is written again after %s, with a warning, and is answered'),
    test('test/faults/lost-records.test.ts', 'is not touched by git %s %s, which ignores its folder'),
  ],
  'workdir copied, backup put back': [
    test(
      'test/faults/lost-records.test.ts',
      'of a workdir says that nobody waits for an answer there, and the agent is answered in its own',
    ),
    test(
      'test/faults/lost-records.test.ts',
      'that is put back in the place of the state folder asks nothing twice, and loses nothing that waits',
    ),
  ],
  'folder mounted twice': [
    test('test/faults/mounts.test.ts', 'has one final answer, which the runner at the other mount gets'),
  ],
  'overwritten in place, in tiny pieces': [
    test(
      'test/files/torn-writes.test.ts',
      'gives only whole answers, and the last one, while another process overwrites the file in place',
    ),
  ],
  'invalid UTF-8': [
    test('packages/files/test/channel/runner-channel.test.ts', 'a file that is no UTF-8'),
    test('packages/sdk/test/http/read-json-body.test.ts', 'refuses bytes that are no UTF-8'),
  ],
  'a file of 1 GB': [
    test('packages/files/test/channel/runner-channel.test.ts', 'a file of 1 GB, which takes no space'),
  ],
  'clocks that jump': [
    test(
      'packages/runner/test/ask/ask-user-timeout.test.ts',
      'waits a minute by its own timer, though its clock jumps by %d minutes',
    ),
    test(
      'packages/files/test/watch/poll.test.ts',
      'does not fall asleep when the clock jumped during a round',
    ),
    test(
      'packages/sdk/test/runs/start/start-run.test.ts',
      'takes a run for what it is, however the clock was set since it started',
    ),
  ],
  'clocks that differ': [
    test(
      'packages/sdk/test/answers/store-answer.test.ts',
      'is in time as long as the runner waits, though the clock of the host is %d ms ahead',
    ),
    test(
      'packages/core/test/record/view/view-of.test.ts',
      'shows no more than one wait as the time left, though the runner has a clock that is hours ahead',
    ),
  ],
  'no inotify (FUSE, overlay, network mounts)': [
    SILENT_WATCH,
    test(
      'packages/sdk/test/runs/stream-run.test.ts',
      'comes all the same where the sandbox reports no changes',
    ),
  ],
  'inotify exhausted': [REFUSED_WATCH],
  'a watcher that dies silently': [
    SILENT_WATCH,
    test('packages/runner/test/ask/ask-user-timeout.test.ts', 'takes an answer that no event told of'),
  ],
  'no hard links': [
    test(
      'packages/files/test/channel/no-hard-links.alone.test.ts',
      'lets one of many claims win where there are no links, whole and with its file',
    ),
  ],
  'event loop blocked': [
    test(
      'test/faults/processes.test.ts',
      'reaches the runner past its deadline, after its event loop was blocked',
    ),
  ],
  SIGSTOP: [
    test('test/faults/processes.test.ts', 'reaches the runner past its deadline, after SIGSTOP'),
    test(
      'test/files/late-draft.test.ts',
      'is no answer for any reader, and the final one is put back by the first host that looks',
    ),
    test(
      'test/remote/relay-process.test.ts',
      'a relay that stops answering signals is killed by the next one',
    ),
  ],
  'two runners with one id': [test('test/faults/processes.test.ts', 'both get the one answer')],
  'a POST cut off in the middle': [
    test(
      'test/faults/posts.test.ts',
      'stores nothing when it is cut off in the middle, and the whole one after it is stored',
    ),
  ],
  'a POST doubled': [test('test/faults/posts.test.ts', 'is one answer when it comes twice at once')],
  'a POST whose reply is lost': [
    test('test/faults/posts.test.ts', 'is one answer when its reply is lost and it is sent again'),
    test('test/runs/delivery.test.ts', 'arrives once after its reply was lost and the page was reloaded'),
  ],
  'SIGINT, SIGTERM, SIGHUP in any order': [
    test('packages/cli/test/interrupted.test.ts', 'withdraws its question on %s'),
    test('test/remote/ended-relay.test.ts', 'what waits goes on when a relay was ended by a signal'),
  ],
  'a log torn at its last line': [
    test(
      'packages/sdk/test/runs/stream-run.test.ts',
      'drops what a killed runner was just printing, and says that the run has ended',
    ),
  ],
}
