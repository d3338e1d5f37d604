const FIRST_MS = 100
const LONGEST_MS = 5000

/** How long to wait after so many failures in a row. */
export const backOffMs = (failures: number): number =>
  Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10))
