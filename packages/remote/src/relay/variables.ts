/** Variables as they travel: JSON has no `undefined`. */
export const variablesOf = (
  env: Readonly<Record<string, string | null>> | undefined,
): Record<string, string | undefined> | undefined =>
  env && Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? undefined]))
