/** How long the process had a processor, in milliseconds: other programs do not make an input slow. */
export function cpuMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
