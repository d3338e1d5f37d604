/** Nothing is loaded and nothing runs: pictures have to come along, and styles too. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

/** HTML of an agent as the whole content of a frame, which must be sandboxed, too. */
export const framedHtml = (html: string): string =>
  `<meta http-equiv="Content-Security-Policy" content="${POLICY}">${inertHtml(html)}`

/** What fetches something, leads elsewhere or changes where others lead; a `template` hides all that from a look. */
const LEADS_AWAY = 'animate, base, embed, frame, frameset, iframe, link, meta, object, portal, set, template'

/** How often what was written is read again. */
const MOST_ROUNDS = 10

/**
 * The same without anything that leads out of it: a link would be followed in the preview's own frame, and its
 * server would learn who looks. It is read until it says the same twice, as some texts change with each reading; one
 * that never does is empty.
 */
function inertHtml(html: string): string {
  let last = html
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = withoutWaysOut(last)
    if (next === last) return next
    last = next
  }
  return ''
}

function withoutWaysOut(html: string): string {
  // With a doctype, as a frame reads what it is given.
  const page = new DOMParser().parseFromString(`<!doctype html>${html}`, 'text/html')
  for (const element of page.querySelectorAll(LEADS_AWAY)) element.remove()
  for (const element of page.querySelectorAll('*'))
    for (const attribute of [...element.attributes])
      if (/(^|:)href$/i.test(attribute.name) && !isPartOfPicture(element, attribute.value))
        element.removeAttributeNode(attribute)
  return page.documentElement.outerHTML
}

/** What a drawing takes from itself. A link within the frame is none: there it would lead to the page around it. */
const isPartOfPicture = (element: Element, href: string): boolean =>
  href.startsWith('#') && !/^(a|area)$/i.test(element.localName)
