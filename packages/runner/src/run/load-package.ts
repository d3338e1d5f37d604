/**
 * Loads a package that only some users install.
 *
 * @param missing says that it is missing, and how to install it
 * @throws Error with these words if it is not installed
 */
export async function loadPackage<T>(load: () => Promise<T>, missing: string): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new Error(missing, { cause })
  }
}
