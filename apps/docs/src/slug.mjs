/**
 * The anchor of a heading as GitHub makes it, so that one link works on GitHub and on the site.
 *
 * @param {string} heading
 */
export function slugOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}
