/** How a program is really started. */
export interface Launch {
  command: string
  args: readonly string[]
  /** Its whole environment. */
  env: Readonly<Record<string, string | undefined>>
  /** What it reads from descriptor 3, where it is the launcher of the isolation. */
  request?: string
}

/** Decides how a program is started. */
export type LaunchOf = (
  command: string,
  args: readonly string[],
  options: {
    env?: Readonly<Record<string, string | undefined>> | undefined
    hosts?: readonly string[] | undefined
  },
) => Promise<Launch>
