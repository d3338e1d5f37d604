const UNITS = [
  ['d', 24 * 60 * 60 * 1000],
  ['h', 60 * 60 * 1000],
  ['min', 60 * 1000],
  ['s', 1000],
] as const

/** A time in its largest unit, rounded down, such as `5 min`. */
export function lasting(ms: number): string {
  const [unit, size] = UNITS.find(([, length]) => ms >= length) ?? (['s', 1000] as const)
  return `${Math.max(0, Math.floor(ms / size))} ${unit}`
}
