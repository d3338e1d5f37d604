/** The system's code of a failed call, such as `ENOENT`. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Whether a call failed with one of these codes. */
export const failedWith = (error: unknown, codes: readonly string[]): boolean => {
  const code = errorCode(error)
  return code !== undefined && codes.includes(code)
}
