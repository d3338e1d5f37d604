import type { Service } from '../service/service.ts'

/** Whether a host does something for a namespace once more. */
export function limitPerMinute(
  { clock }: Pick<Service, 'clock'>,
  most: number,
): (namespace: string) => boolean {
  let counts = new Map<string, number>()
  let since = clock.now()
  return (namespace) => {
    if (clock.now() - since > 60_000) {
      counts = new Map()
      since = clock.now()
    }
    const count = (counts.get(namespace) ?? 0) + 1
    counts.set(namespace, count)
    return count <= most
  }
}
