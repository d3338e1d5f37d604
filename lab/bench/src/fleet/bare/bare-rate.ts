import { Child } from '../child.ts'

/** Texts a second by the bare client, from the first order until the last of them has arrived. */
export async function bareRate(
  name: string,
  url: string,
  count: number,
  { processes, namespaces, text }: { processes: number; namespaces: number; text: string },
): Promise<number> {
  const childrenOf = (program: string, argument: (n: number) => string, length: number): Child[] =>
    Array.from({ length }, (_, n) => new Child(program, [name, url, argument(n)]))
  const listeners = childrenOf('bare/bare-listener.js', (n) => `bare-${n}`, namespaces)
  const writers = childrenOf('bare/bare-writer.js', () => text, processes)
  const all = [...listeners, ...writers]
  try {
    await Promise.all(all.map((child) => child.hear((message) => message === 'ready')))
    const texts = Array.from({ length: count }, (_, n) => ({
      namespace: `bare-${n % namespaces}`,
      key: `${n}`,
    }))
    const startedAt = process.hrtime.bigint()
    const lastOf = async (listener: Child): Promise<number> => {
      let last = 0
      for (let n = 0; n < count / namespaces; n++) {
        const { heardAt = 0 } = await listener.hear<{ heardAt?: string }>(
          ({ heardAt }) => heardAt !== undefined,
        )
        last = Math.max(last, Number(BigInt(heardAt) - startedAt))
      }
      return last
    }
    const arrived = Promise.all(listeners.map(lastOf))
    for (const [n, writer] of writers.entries())
      writer.tell(texts.filter((_, index) => index % processes === n))
    return Math.round(count / (Math.max(...(await arrived)) / 1e9))
  } finally {
    await Promise.all(all.map((child) => child.end()))
  }
}
