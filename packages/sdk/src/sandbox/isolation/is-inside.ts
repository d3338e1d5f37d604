import { isAbsolute, relative, sep } from 'node:path'

/** Whether `path` is `folder` or below it; both absolute. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
