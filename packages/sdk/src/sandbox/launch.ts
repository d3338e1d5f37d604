export interface Launch {
  command: string
  args: readonly string[]
  /** The whole environment. */
  env: Readonly<Record<string, string | undefined>>
  /** For the isolation's launcher: its request, which it reads from descriptor 3. */
  request?: string
}

export type LaunchOf = (
  command: string,
  args: readonly string[],
  options: {
    env?: Readonly<Record<string, string | undefined>> | undefined
    hosts?: readonly string[] | undefined
  },
) => Promise<Launch>
