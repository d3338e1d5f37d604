/** Settings of the kernel and its devices: they belong to the whole machine. */
const SETTINGS = [
  'acpi',
  'asound',
  'bus',
  'driver',
  'dynamic_debug',
  'fs',
  'irq',
  'latency_stats',
  'mtrr',
  'scsi',
  'slabinfo',
  'sys',
  'sysrq-trigger',
].map((name) => `/proc/${name}`)

/** Where the sandbox runtime asks bubblewrap for the folder of processes: once, behind everything that is configured. */
const PROCESSES = ' --proc /proc '

/**
 * The command of a sandbox, with what the runtime leaves open to a program of root's: it has no rights over the system,
 * but many settings ask for the user alone, and one of them names a program that the kernel starts outside. Memory and
 * queues that programs share by number are closed to every user's.
 */
export function withOwnKernelView(command: string): string {
  if (process.platform !== 'linux') return command
  const place = command.lastIndexOf(PROCESSES)
  if (place === -1) throw new Error('the settings of the kernel cannot be kept from it')
  const end = place + PROCESSES.length
  const closed = SETTINGS.map((path) => `--ro-bind-try ${path} ${path} `)
  return `${command.slice(0, end)}--unshare-ipc ${closed.join('')}${command.slice(end)}`
}
