/** How long this process may be busy with files before everything else gets its turn, in milliseconds. */
const BUSY_MS = 5

let busySince: number | null = null

/** Lets other work come first when many calls that are answered at once follow each other. */
export async function breathe(): Promise<void> {
  if (busySince === null) {
    busySince = performance.now()
    setImmediate(() => {
      busySince = null
    })
  } else if (performance.now() - busySince > BUSY_MS) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}
