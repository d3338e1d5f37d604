/** Sends a signal to a process, or by a negative number to a group, if it still runs. */
export function sendSignal(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
