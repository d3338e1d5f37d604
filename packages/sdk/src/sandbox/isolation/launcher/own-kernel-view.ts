/** Settings of the kernel and its devices, which affect the whole machine. */
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

/** Where the sandbox runtime asks bubblewrap for `/proc`: once, after everything that is configured. */
const PROCESSES = ' --proc /proc '

/**
 * Closes in the command of a sandbox what the runtime leaves open to programs of root. Many settings check only the user,
 * and one of them names a program that the kernel starts outside. Shared memory and queues are closed to all users.
 */
export function withOwnKernelView(command: string): string {
  if (process.platform !== 'linux') return command
  const place = command.lastIndexOf(PROCESSES)
  if (place === -1) throw new Error('the settings of the kernel cannot be kept from it')
  const end = place + PROCESSES.length
  const closed = SETTINGS.map((path) => `--ro-bind-try ${path} ${path} `)
  return `${command.slice(0, end)}--unshare-ipc ${closed.join('')}${command.slice(end)}`
}
