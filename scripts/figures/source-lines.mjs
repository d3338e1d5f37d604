import { filesLike, linesIn, packageOf } from './workspace.mjs'

/**
 * The sandboxes of vendors, wherever they are: they count until each is a recipe, because moving them away removes nothing.
 */
const VENDORS = /(^|\/)(daytona|e2b|modal|vercel)\.(ts|mjs)$/
const RECIPE_LINES = 40

/** @returns {ReadonlyMap<string, number>} lines by package */
export function sourceLines() {
  const counts = new Map()
  for (const path of filesLike('packages/*/src/*', 'packages/*/migrations/*'))
    counts.set(packageOf(path), (counts.get(packageOf(path)) ?? 0) + linesIn(path))
  for (const path of filesLike('examples/*').filter((name) => VENDORS.test(name)))
    if (linesIn(path) >= RECIPE_LINES) counts.set(path, linesIn(path))
  return counts
}
