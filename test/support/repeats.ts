/**
 * How often a slow test repeats what depends on chance. `LONG=1 npx vitest run --mode slow PATH` makes the long run.
 *
 * @param usual a number that fits into the slow tests
 */
export const repeats = (usual: number, long: number): number => (process.env.LONG ? long : usual)
