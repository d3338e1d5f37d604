/** Variables for finding programs, language and terminal. */
const PASSED_ON = /^(PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR)$/

/** The variables of this process that pass into a sandbox: none that could be a secret. */
export const passedOn = (environment: NodeJS.ProcessEnv = process.env): Record<string, string> =>
  defined(Object.fromEntries(Object.entries(environment).filter(([name]) => PASSED_ON.test(name))))

/** The variables that have a value. */
export const defined = (environment: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
