/** A system call of a process that answers a question, or asks it. */
export interface SystemCall {
  /** Node makes most calls on its main thread, and some on the one thread of its pool. */
  thread: 'main' | 'pool'
  name: string
  /** Counts the calls of this name on this thread, from 1. */
  ordinal: number
  /** The call and its arguments, as `strace` shows them. */
  text: string
  /** The lines of the log with its beginning and its end. */
  began: number
  ended: number
}

/** The beginning of a call, in the log of one or two threads. */
const BEGINNING = /^(?:(?<tid>\d+) +)?(?<name>\w+)\((?<args>.*)$/

/** The calls in a log of `strace -p MAIN -p POOL`, in the order in which they began. */
export function systemCallsIn(log: string, pool?: number): SystemCall[] {
  const lines = log.split('\n')
  const counts = new Map<string, number>()
  return lines.flatMap((line, began) => {
    const { tid = '', name = '', args = '' } = BEGINNING.exec(line)?.groups ?? {}
    if (name === '') return []
    const thread = Number(tid) === pool ? 'pool' : 'main'
    const ordinal = (counts.get(`${thread} ${name}`) ?? 0) + 1
    counts.set(`${thread} ${name}`, ordinal)
    // A call that took long has a second line.
    const isSecond = (other: string): boolean =>
      other.startsWith(tid) && other.includes(`<... ${name} resumed>`)
    const ended = args.endsWith('<unfinished ...>')
      ? lines.findIndex((other, n) => n > began && isSecond(other))
      : began
    return [{ thread, name, ordinal, text: `${name}(${args}`, began, ended }]
  })
}

/** What Node does for itself: memory, wake-ups, states of its standard streams. */
const OF_NODE = /^(?:mmap|epoll_\w+|fcntl|ioctl)\(/

/** A path, an open file or a watch. */
const OF_FILES = /^\w+\((?:AT_FDCWD<[^>]*>, )?(?:"|\d+<\/)|inotify/

/** The program says on its standard output what its caller was told. */
const OF_CALLER = /^write\(1</

/** The call by which the caller was told. */
export const tellingIn = (calls: readonly SystemCall[]): SystemCall | undefined =>
  calls.find(({ text }) => OF_CALLER.test(text))

/** Whether a call touches files, or tells the caller. Between two such calls, a kill finds what the next one finds. */
export const isOfTheWay = (text: string): boolean =>
  !OF_NODE.test(text) && (OF_FILES.test(text) || OF_CALLER.test(text))

const CHANGES = /^(?:write|fsync|fdatasync|link|rename|unlink|mkdir|rmdir)\w*\(|O_CREAT/

/** Whether a call changes or syncs files, or tells the caller. */
export const isChange = ({ text }: SystemCall): boolean => CHANGES.test(text)

/** A call that a full disk refuses, or the limit of watches. */
const NEEDS_SPACE = /^(?:write|link|rename|mkdir|inotify_add_watch)\w*\(|O_CREAT/

/** Node aborts if it cannot read what its watch tells, or close a file of Linux' own. No disk lets these calls fail. */
const NEVER_FAILS = /^read\(.*inotify|^close\(\d+<\/proc\//

/** The error that a disk gives at a call. */
export function errorAt({ text }: SystemCall): 'EIO' | 'ENOSPC' | null {
  if (OF_CALLER.test(text) || NEVER_FAILS.test(text)) return null
  return NEEDS_SPACE.test(text) ? 'ENOSPC' : 'EIO'
}

/**
 * Whether the log tells of a fault on the way. Node's own reads and writes are counted too, and their number changes: a
 * fault may hit one of them.
 */
export function hasFault(log: string): boolean {
  if (log.includes('killed by SIGKILL')) return true
  const lines = log.split('\n')
  const hasFailed = ({ ended }: SystemCall): boolean =>
    /= -1 (?:EIO|ENOSPC|EDQUOT|EINVAL|EOPNOTSUPP) .*\(INJECTED\)$/.test(lines[ended] ?? '')
  return systemCallsIn(log).some((call) => hasFailed(call) && isOfTheWay(call.text))
}
