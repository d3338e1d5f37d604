import { imageSize } from './image-size.ts'

/** An image that can be shown. */
export interface ImageSource {
  url: string
  width: number
  height: number
}

/** The longest image, in bytes. */
export const MOST_IMAGE_BYTES = 98_304

/** The largest image, in pixels: a small file can hold an image that fills the memory. */
const MOST_IMAGE_PIXELS = 16_777_216

/** SVG is not among them: a short one can draw for minutes. */
const TYPES = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,([A-Za-z0-9+/]+={0,2})$/

/** The image of a `data:` address, or `null` for everything that is not loaded. */
export function imageSource(url: string): ImageSource | null {
  const [, base64 = ''] = TYPES.exec(url) ?? []
  if (base64 === '' || base64.length * 0.75 > MOST_IMAGE_BYTES) return null
  const size = imageSize(bytesOf(base64))
  return size && size.width * size.height <= MOST_IMAGE_PIXELS ? { url, ...size } : null
}

function bytesOf(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

/** The text without the `data:` addresses in it, each replaced by its position: the parser needs not read them. */
export function takeOutImages(text: string): { rest: string; images: string[] } {
  const images: string[] = []
  const rest = text.replace(
    /\]\((data:image\/[^\s()<>]*)/g,
    (_, url: string) => `](data:${images.push(url) - 1}`,
  )
  return { rest, images }
}
