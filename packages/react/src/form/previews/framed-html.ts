import { allowsInlineStyles, trust } from './page-policy.ts'

const HAS_STYLES = /<style|\sstyle\s*=/i

/** Loads nothing and runs nothing. Pictures and styles must be part of the HTML. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

/**
 * Shows HTML of an agent in a sandboxed frame, and says what the page does not allow of it.
 *
 * @throws TypeError if the page lets nothing parse
 */
export function fillFrame(frame: HTMLIFrameElement, html: string): 'unstyled' | undefined {
  frame.srcdoc = trust(`<meta http-equiv="Content-Security-Policy" content="${POLICY}">${inertHtml(html)}`)
  return HAS_STYLES.test(html) && !allowsInlineStyles() ? 'unstyled' : undefined
}

/** Elements that load something, lead away, or change where links lead. A `template` hides its content from queries. */
const LEADS_AWAY = 'animate, base, embed, frame, frameset, iframe, link, meta, object, portal, set, template'

/** How often the result is parsed again. */
const MOST_ROUNDS = 10

/**
 * The same HTML without anything that leads out of it: a link would open in the frame of the preview, and its server
 * would learn who looks. Some texts change each time they are parsed. So the result is parsed until it stays the same.
 * A text that never does becomes empty.
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
  // With a doctype, as frames parse it.
  const page = new DOMParser().parseFromString(trust(`<!doctype html>${html}`), 'text/html')
  for (const element of page.querySelectorAll(LEADS_AWAY)) element.remove()
  for (const element of page.querySelectorAll('*'))
    for (const attribute of [...element.attributes])
      if (/(^|:)href$/i.test(attribute.name) && !isPartOfPicture(element, attribute.value))
        element.removeAttributeNode(attribute)
  return page.documentElement.outerHTML
}

/** Whether a drawing refers to a part of itself. Links are excluded: in a frame they lead to the page around it. */
const isPartOfPicture = (element: Element, href: string): boolean =>
  href.startsWith('#') && !/^(a|area)$/i.test(element.localName)
